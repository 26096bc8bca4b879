/**
 * Runs `work` for a key with at most one run under way: asking while it runs means one more run afterwards, however
 * often it was asked. Resolves when a run that began after the call has ended.
 */
export function coalesced(work: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const running = new Map<string, { current: Promise<void>; next: Promise<void> | null }>()

  const begin = (key: string): Promise<void> => {
    const entry: { current: Promise<void>; next: Promise<void> | null } = { current: Promise.resolve(), next: null }
    entry.current = work(key).finally(() => {
      if (running.get(key) === entry && entry.next === null) running.delete(key)
    })
    running.set(key, entry)
    return entry.current
  }

  return (key) => {
    const entry = running.get(key)
    if (entry === undefined) return begin(key)
    entry.next ??= entry.current.then(
      () => begin(key),
      () => begin(key),
    )
    return entry.next
  }
}
