// One writer of the crowd: publishes its documents one after another and prints what it was answered, one JSON line each.
import { createCore } from '../../electron/core/createCore.ts'
import type { PublishOutcome } from '../../shared/model/index.ts'

const [, , folder = '', home = '', name = '', count = '50'] = process.argv
const core = createCore({ home, env: process.env, clock: () => new Date(), host: 'cli', version: '0', log: () => {} })
const caller = { via: 'mcp' as const, actor: name }
const { id: repoId } = await core.handlers['repo.open']({ path: folder, background: true }, caller)
const seen = new Map<string, number>()

for (let i = 0; i < Number(count); i++) {
  const path = i % 2 === 0 ? `own/${name}/${i}.md` : `shared/${i % 5}.md`
  const body = `${name} wrote ${i}\n`
  try {
    const given = { path, body, expectedVersion: seen.get(path) ?? 0, onConflict: 'merge' as const }
    const rest = { encoding: 'utf-8' as const, metadata: null, candidate: null, message: null, session: name }
    const outcome: PublishOutcome = await core.handlers['documents.publish']({ repoId, ...given, ...rest }, caller)
    if (outcome.status === 'ok') {
      seen.set(path, outcome.version)
      console.log(JSON.stringify({ path, body, ok: outcome.commit }))
    } else {
      const version = outcome.status === 'conflict' ? outcome.serverVersion : outcome.candidate.publishAtVersion
      seen.set(path, version)
      console.log(JSON.stringify({ path, body, conflict: outcome.status }))
    }
  } catch (error) {
    console.log(JSON.stringify({ path, body, error: String((error as { code?: string }).code ?? error) }))
  }
}
await core.dispose()
