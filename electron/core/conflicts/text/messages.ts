import type { TextAnswers, TextInput, TextJob } from './jobs.ts'
import type { SideBytes } from './prepare.ts'

/** A job on its way to a worker; without its sides where the worker may have their merge already. */
export interface ToWorker {
  readonly id: number
  readonly job: Omit<TextJob, 'input'> & {
    readonly input: Omit<TextInput, 'sides'> & { readonly sides: SideBytes | null }
  }
}

export type FromWorker =
  | { readonly id: number; readonly answer: TextAnswers[keyof TextAnswers] }
  | { readonly id: number; readonly needsSides: true }
  | { readonly id: number; readonly failure: string }

export const asWire = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
