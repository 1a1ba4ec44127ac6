import { useState } from 'react';
import { unquoted } from '../../format/path.ts';
import { useApp } from '../../store/context.tsx';
import { strings } from '../../strings.ts';

/** Names a file or folder on this computer: read in place, nothing is copied. */
export function PathForm() {
  const startImport = useApp((s) => s.startImport);
  const [path, setPath] = useState('');
  const [missing, setMissing] = useState(false);
  return (
    <form
      className="path-form"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = unquoted(path);
        setMissing(wanted === '');
        if (wanted !== '') void startImport([wanted]);
      }}
    >
      <label htmlFor="import-path">{strings.take.pathLabel}</label>
      <div className="path-line">
        <input
          id="import-path"
          type="text"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          placeholder={strings.take.pathPlaceholder}
          aria-describedby={missing ? 'import-path-missing' : 'import-path-hint'}
          aria-invalid={missing}
          value={path}
          onChange={(event) => {
            setPath(event.target.value);
            setMissing(false);
          }}
        />
        <button type="submit" className="button">
          {strings.take.pathButton}
        </button>
      </div>
      {missing ? (
        <p id="import-path-missing" className="field-problem">
          {strings.take.pathMissing}
        </p>
      ) : (
        <p id="import-path-hint" className="field-hint">
          {strings.take.pathHint}
        </p>
      )}
    </form>
  );
}
