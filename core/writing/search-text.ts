import { type Episode, speakerName } from '../contract/index.ts';
import { dayWords } from './day-words.ts';

function listed(name: string, labels: readonly string[]): string[] {
  return labels.length === 0 ? [] : [`${name}: ${labels.join(', ')}.`];
}

/**
 * The text of an episode that is embedded and indexed. EM²Mem binds all channels of an anchor before it is indexed:
 * paragraph, transcript, visible text and the event record's labels; the words of its day are added, for questions name
 * days. What the paragraph already holds is not said twice.
 */
export function searchText(episode: Episode): string {
  const { text, record, startMs, zone } = episode;
  const { date, clock, phrase } = dayWords(startMs, zone);
  const missing = (line: string) => !text.includes(line);
  return [
    text,
    ...(record.caption !== '' && missing(record.caption) ? [record.caption] : []),
    ...record.transcript
      .filter((line) => missing(line.text))
      .map((line) => {
        const name = speakerName(line);
        return name === null ? line.text : `${name}: ${line.text}`;
      }),
    ...record.visibleText.flatMap((visible) => visible.text.split('\n').filter(missing)),
    ...listed('Actions', record.actions),
    ...listed('Objects', record.objects),
    ...listed('Topics', record.topics),
    ...listed('Scenes', record.scenes),
    ...listed('Entities', record.entities),
    `${date}, ${clock.slice(0, 5)} ${phrase}.`,
  ].join('\n');
}
