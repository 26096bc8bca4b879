import type { Session } from './session.ts'

export interface Stop {
  /** Resolves when a signal has ended the command's work; never where the work ends by itself. */
  readonly interrupted: Promise<'interrupted'>
  /** For verbs that stay: resolves at the first signal, which then does nothing else. */
  stay(): Promise<void>
  release(): void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * The first Ctrl-C cancels a running operation, which then answers by itself, or else ends the core and its children and
 * waits for what cannot be stopped halfway. The second ends the process; what was begun is mended at the next command.
 */
export function stopOnSignals(session: Session): Stop {
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<'interrupted'>()
  const { promise: staying, resolve: leave } = Promise.withResolvers<void>()
  let stays = false
  let signals = 0

  const end = async () => {
    if (await session.interrupt().catch(() => false)) return
    await session.dispose().catch(() => {})
    // An operation that was waited for has answered by now: its answer comes first.
    setImmediate(() => interrupt('interrupted'))
  }
  const onSignal = () => {
    signals++
    if (stays && signals === 1) return leave()
    if (signals > 1) process.exit(130)
    void end()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    interrupted,
    stay: () => {
      stays = true
      return staying
    },
    release: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
