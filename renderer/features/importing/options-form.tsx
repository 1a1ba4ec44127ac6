import { useId, useState } from 'react';
import { parseShift } from '../../format/amount.ts';
import { isZone } from '../../format/time.ts';
import { useApp } from '../../store/context.tsx';
import { strings } from '../../strings.ts';

type Direction = 'right' | 'slow' | 'fast';

/** Corrections for the next import: the camera's clock and zone, and whether sound is kept. */
export function OptionsForm() {
  const options = useApp((s) => s.importOptions);
  const setImportOptions = useApp((s) => s.setImportOptions);
  const id = useId();
  const [direction, setDirection] = useState<Direction>('right');
  const [amount, setAmount] = useState('');
  const [zone, setZone] = useState(options.zone ?? '');
  const shiftWrong = direction !== 'right' && amount !== '' && parseShift(amount) === null;
  const zoneWrong = zone !== '' && !isZone(zone);

  const putShift = (toward: Direction, text: string) => {
    setDirection(toward);
    setAmount(text);
    const ms = toward === 'right' ? 0 : (parseShift(text) ?? 0);
    setImportOptions({ ...options, shiftMs: toward === 'fast' ? -ms : ms });
  };

  return (
    <details className="options">
      <summary>{strings.options.title}</summary>
      <div className="field">
        <label htmlFor={`${id}-shift`}>{strings.options.shift}</label>
        <div className="field-line">
          <select
            id={`${id}-shift`}
            value={direction}
            onChange={(event) => putShift(event.target.value as Direction, amount)}
          >
            <option value="right">{strings.options.shiftRight}</option>
            <option value="slow">{strings.options.shiftSlow}</option>
            <option value="fast">{strings.options.shiftFast}</option>
          </select>
          {direction === 'right' ? null : (
            <input
              type="text"
              inputMode="numeric"
              className="short"
              aria-label={strings.options.shiftAmount}
              aria-invalid={shiftWrong}
              aria-describedby={`${id}-shift-hint`}
              placeholder="1:30"
              value={amount}
              onChange={(event) => putShift(direction, event.target.value)}
            />
          )}
        </div>
        {direction === 'right' ? null : (
          <p id={`${id}-shift-hint`} className={shiftWrong ? 'field-problem' : 'field-hint'}>
            {shiftWrong ? strings.options.shiftWrong : strings.options.shiftHint}
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor={`${id}-zone`}>{strings.options.zone}</label>
        <input
          id={`${id}-zone`}
          type="text"
          list={`${id}-zones`}
          aria-invalid={zoneWrong}
          aria-describedby={`${id}-zone-hint`}
          value={zone}
          onChange={(event) => {
            const typed = event.target.value.trim();
            setZone(event.target.value);
            setImportOptions({ ...options, zone: typed !== '' && isZone(typed) ? typed : null });
          }}
        />
        <datalist id={`${id}-zones`}>
          {Intl.supportedValuesOf('timeZone').map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <p id={`${id}-zone-hint`} className={zoneWrong ? 'field-problem' : 'field-hint'}>
          {zoneWrong ? strings.options.zoneWrong : strings.options.zoneHint}
        </p>
      </div>
      <div className="field field-check">
        <input
          id={`${id}-sound`}
          type="checkbox"
          checked={options.keepSound ?? false}
          aria-describedby={`${id}-sound-hint`}
          onChange={(event) => setImportOptions({ ...options, keepSound: event.target.checked })}
        />
        <label htmlFor={`${id}-sound`}>{strings.options.sound}</label>
        <p id={`${id}-sound-hint`} className="field-hint">
          {strings.options.soundHint}
        </p>
      </div>
    </details>
  );
}
