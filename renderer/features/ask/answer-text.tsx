import type { Answer } from '../../../core/contract/reading.ts';
import { blocks, type Piece } from '../../format/marks.ts';
import { clockTime } from '../../format/time.ts';
import { useApp, usePlace } from '../../store/context.tsx';
import { strings } from '../../strings.ts';

/** The answer as text, its footnote marks as superscript buttons. */
export function AnswerText({ turnId, answer }: { turnId: string; answer: Answer }) {
  const known = new Set(answer.footnotes.map((footnote) => footnote.number));
  let marks = 0;
  const draw = (list: Piece[]) =>
    list.map((piece, index) => {
      if (piece.kind === 'text') return piece.text;
      marks += 1;
      // biome-ignore lint/suspicious/noArrayIndexKey: the text of an answer never changes
      return (
        <Mark
          key={index}
          id={`${turnId}-mark-${marks}`}
          turnId={turnId}
          answer={answer}
          number={piece.number}
        />
      );
    });
  return (
    <div className="answer">
      {blocks(answer.answer, known).map((block, index) =>
        block.kind === 'paragraph' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text of an answer never changes
          <p key={index}>{draw(block.pieces)}</p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text of an answer never changes
          <ul key={index}>
            {block.items.map((item, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text of an answer never changes
              <li key={place}>{draw(item)}</li>
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
