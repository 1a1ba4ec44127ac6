import type { Answer } from '../../../core/contract/reading.ts';
import { blocks, bound, type Piece } from '../../format/marks.ts';
import { clockTime } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { strings } from '../../strings.ts';

/** The answer as text, its footnote marks as superscript buttons. */
export function AnswerText({ turnId, answer }: { turnId: string; answer: Answer }) {
  const known = new Set(answer.footnotes.map((footnote) => footnote.number));
  let marks = 0;
  const draw = (list: Piece[]) =>
    bound(list).map((part) => {
      if (typeof part === 'string') return part;
      return (
        <span key={marks} className="bound">
          {part.word}
          {part.marks.map((number) => {
            marks += 1;
            const id = `${turnId}-mark-${marks}`;
            return <Mark key={id} id={id} turnId={turnId} answer={answer} number={number} />;
          })}
        </span>
      );
    });
  return (
    <div className="answer">
      {blocks(answer.answer, known).map((block) =>
        block.kind === 'paragraph' ? (
          <p key={block.line}>{draw(block.pieces)}</p>
        ) : (
          <ul key={block.line}>
            {block.items.map((item) => (
              <li key={item.line}>{draw(item.pieces)}</li>
            ))}
          </ul>
        ),
      )}
    </div>
  );
}

function Mark({
  id,
  turnId,
  answer,
  number,
}: {
  id: string;
  turnId: string;
  answer: Answer;
  number: number;
}) {
  const { locale } = usePlace();
  const playFootnote = useApp((s) => s.playFootnote);
  const current = useApp((s) => s.player?.turnId === turnId && s.player.number === number);
  const footnote = answer.footnotes.find((candidate) => candidate.number === number);
  if (!footnote) return null;
  return (
    <sup className="mark">
      <button
        id={id}
        type="button"
        aria-label={strings.ask.mark(number, clockTime(footnote.atMs, footnote.zone, locale))}
        aria-expanded={current}
        onClick={() => playFootnote(turnId, number, id)}
      >
        {number}
      </button>
    </sup>
  );
}
