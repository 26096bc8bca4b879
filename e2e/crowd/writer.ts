import { createCore } from '../../electron/core/createCore.ts'
import type { PublishOutcome } from '../../shared/model/index.ts'

/** What one writer of the crowd is told to do, in JSON. */
export interface WriterOrder {
  readonly dir: string
  readonly home: string
  readonly name: string
  readonly count: number
}

/** One publish and what was answered. */
export interface WriterLine {
  readonly path: string
  readonly body: string
  /** The commit that was acknowledged. */
  readonly commit?: string
  readonly conflict?: 'conflict' | 'merge-candidate'
  readonly error?: string
}

/** Paths that all writers publish to. */
const SHARED = 5

const { dir, home, name, count }: WriterOrder = JSON.parse(process.argv[2] ?? '{}')
const core = createCore({ home, env: process.env, clock: () => new Date(), host: 'cli', version: '0', log: () => {} })
const caller = { via: 'mcp' as const, actor: name }
const { id: repoId } = await core.handlers['repo.open']({ path: dir, background: true }, caller)
const known = new Map<string, number>()
const tell = (line: WriterLine) => console.log(JSON.stringify(line))

// All begin at the same moment: once the suite has heard this of each of them.
console.log('ready')
await new Promise((resolve) => process.stdin.once('data', resolve))
for (let at = 0; at < count; at++) {
  const path = at % 2 === 0 ? `own/${name}/${at}.md` : `shared/${at % SHARED}.md`
  const body = `${name} wrote ${at}\n`
  try {
    const given = { path, body, expectedVersion: known.get(path) ?? 0, onConflict: 'merge' as const }
    const rest = { encoding: 'utf-8' as const, metadata: null, candidate: null, message: null, session: name }
    const outcome: PublishOutcome = await core.handlers['documents.publish']({ repoId, ...given, ...rest }, caller)
    if (outcome.status === 'ok') {
      known.set(path, outcome.version)
      tell({ path, body, commit: outcome.commit })
    } else {
      const version = outcome.status === 'conflict' ? outcome.serverVersion : outcome.candidate.publishAtVersion
      known.set(path, version)
      tell({ path, body, conflict: outcome.status })
    }
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    tell({ path, body, error: `${code ?? 'unknown'}: ${message}` })
  }
}
await core.dispose()
process.stdin.destroy()
