import type { PublishOutcome } from '../../../shared/model/index.ts'
import { publishText } from '../../core/documents/texts.ts'
import { type Answer, EXIT } from '../answer.ts'
import { plainLines } from '../words.ts'

/** What a publish came to: a candidate and a conflict are answers too, with exit code 1. */
export function publishAnswer(type: string, outcome: PublishOutcome): Answer {
  const text = plainLines(publishText(outcome))
  return { type, data: outcome, text, exitCode: outcome.status === 'ok' ? EXIT.success : EXIT.failed, asked: true }
}
