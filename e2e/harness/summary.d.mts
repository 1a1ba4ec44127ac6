export interface PartResult {
  name: string;
  seconds: number;
  passed: number;
  failed: number;
  skipped: number;
  note?: string;
}
export function summary(results: readonly PartResult[]): string;
export function lastLine(results: readonly PartResult[]): string;
