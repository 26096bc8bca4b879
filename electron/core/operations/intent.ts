import { beginOperation } from '../store/operations.ts'
import { recover } from './recover.ts'
import { rowOf } from './row.ts'
import type { RunningOperation } from './running.ts'

/**
 * Writes what an operation is about to do, once nobody else is in the middle of something. `plan`: all that is needed to
 * finish it or to put everything back; `ends`: where the first ref stands and goes to, null where none moves.
 */
export async function writeIntent(
  operation: RunningOperation,
  plan: unknown,
  ends: { readonly from: string | null; readonly to: string | null } = { from: null, to: null },
): Promise<void> {
  const { repo } = operation
  for (;;) {
    operation.fault('before intent')
    const other = beginOperation(repo.state, { ...rowOf(operation), stage: 'intent', ...ends, plan })
    if (!other) break
    await recover(repo, operation.ports, async () => operation.trusted)
  }
  operation.intent = true
  operation.fault('intent written')
}
