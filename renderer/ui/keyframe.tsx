import { useState } from 'react';
import { useHost } from '../store/context.tsx';
import { strings } from '../strings.ts';

/** Stored keyframes are at most this large; the size is given so that nothing moves when the picture arrives. */
const WIDTH = 320;
const HEIGHT = 180;

/** A still picture, loaded when it comes into view; without one, a quiet blank that says so. */
export function Keyframe({ mediaId, alt }: { mediaId: string | null; alt: string }) {
  const host = useHost();
  const [failed, setFailed] = useState(false);
  if (mediaId === null || failed) {
    return (
      <span className="keyframe keyframe-none">
        <span>{strings.episode.noPixels}</span>
      </span>
    );
  }
  return (
    <img
      className="keyframe"
      src={host.mediaUrl(mediaId)}
      alt={alt}
      width={WIDTH}
      height={HEIGHT}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(true)}
    />
  );
}
