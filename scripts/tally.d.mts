export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}
export interface Tally {
  readonly passed: number
  readonly failed: number
}
export function closingLine(line: string): Counts | null
export function tally(code: number | null, counts: Counts | null | undefined): Tally
export function closing(results: readonly Tally[]): string
