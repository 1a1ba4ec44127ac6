import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../store/context.tsx';
import { hashOf } from '../../store/route-slice.ts';
import { strings } from '../../strings.ts';
import { offeredByDrop } from './take-in.ts';

/** The whole window takes footage; while something is held over it, it says so. */
export function DropAnywhere() {
  const takeIn = useApp((s) => s.takeIn);
  const readOnly = useApp((s) => s.status?.readOnly ?? false);
  const [over, setOver] = useState(false);
  const depth = useRef(0);

  useEffect(() => {
    const holdsFiles = (event: DragEvent) =>
      event.dataTransfer?.types.includes('Files') === true && !readOnly;
    const enter = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      depth.current += 1;
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      depth.current = Math.max(0, depth.current - 1);
      if (depth.current === 0) setOver(false);
    };
    const hover = (event: DragEvent) => {
      // Without this the browser would open the file and leave the page.
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      hover(event);
      depth.current = 0;
      setOver(false);
      if (!holdsFiles(event) || !event.dataTransfer) return;
      void takeIn(offeredByDrop(event.dataTransfer));
      location.hash = hashOf({ page: 'add' });
    };
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('dragover', hover);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('dragover', hover);
      window.removeEventListener('drop', drop);
    };
  }, [takeIn, readOnly]);

  return over ? (
    <div className="drop-overlay" aria-hidden="true">
      <p>{strings.take.overlay}</p>
    </div>
  ) : null;
}
