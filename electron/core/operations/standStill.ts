import type { RepositoryContext } from '../context.ts'
import type { Git } from '../git/process.ts'
import { readRefsNow } from '../git/refsNow.ts'
import { type PreparedRefs, prepareRefs } from '../git/refTransaction.ts'
import { undoRef } from './plan.ts'

/** Tries to lock a ref that someone keeps moving. */
const TRIES = 20

/**
 * Does `work` while nobody can move a ref. The lock is git's own; what follows has to take it again, so that someone
 * may still be faster then, but has only that moment. Where it cannot be had the work is done without it.
 */
export async function whileStill<T>(
  operation: { readonly id: string; readonly git: Git; readonly repo: Pick<RepositoryContext, 'repository'> },
  ref: string,
  work: () => Promise<T>,
): Promise<T> {
  const lock = await hold(operation.git, operation.id, ref)
  try {
    return await work()
  } finally {
    await lock?.abort()
  }
}

async function hold(git: Git, operation: string, ref: string): Promise<PreparedRefs | null> {
  for (let n = 0; n < TRIES; n++) {
    const now = (await readRefsNow(git, [ref])).get(ref) ?? null
    if (now === null) return null
    // The operation's own ref, which is not there yet, is the witness of whose locks these are.
    const updates = [
      { ref, old: now, new: now },
      { ref: undoRef(operation), old: null, new: null },
    ]
    const answer = await prepareRefs(git, updates, 'daybreak')
    if (answer.prepared) return answer.refs
  }
  return null
}
