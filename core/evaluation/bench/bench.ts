/** Named figures of one bench: what `--json` prints. Units stand in the names (seconds, MB, ratio). */
export type Figures = Record<string, number | string | null>;

export interface Bench {
  name: string;
  /** One line: what is measured against what. */
  summary: string;
  usage: string;
  /** @param args what follows the bench's name, options removed */
  run(args: string[], options: Record<string, string | true>): Promise<Figures>;
}
