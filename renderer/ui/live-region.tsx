import { useApp } from '../store/context.tsx';

/** Says aloud what changed without being asked: progress, the reader's steps, the answer being there. */
export function LiveRegion() {
  const { text, number } = useApp((s) => s.announcement);
  return (
    <div className="visually-hidden" role="status" aria-live="polite" data-number={number}>
      {/* A changed key makes the same words twice two announcements. */}
      <p key={number}>{text}</p>
    </div>
  );
}
