import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'
import { createGit } from '../../core/git/process.ts'
import { startToolRun, type ToolCall } from '../../host/toolRun.ts'
import { openApp } from '../openApp.ts'
import { usageError } from '../usage.ts'
import { text, type Verb } from '../verb.ts'

const USAGE = 'daybreak mergetool BASE LOCAL REMOTE MERGED'

export const verb: Verb = {
  options: { host: { type: 'string' } },
  words: 4,
  help: [
    'Opens the resolver on one file and waits. Exit code 0: resolved, and MERGED is written; 1: given up, or the page was closed.',
    'BASE may be missing, or /dev/null: then there is no common version.',
    'For git: git config mergetool.daybreak.cmd \'daybreak mergetool "$BASE" "$LOCAL" "$REMOTE" "$MERGED"\'',
    '         git config mergetool.daybreak.trustExitCode true',
  ],
  async run(call) {
    const [base, local, remote, merged] = call.positionals.map((word) => word && resolve(call.cwd, word))
    if (!local || !remote || !merged) throw usageError('Four files are wanted.', USAGE, 'daybreak mergetool --help')
    for (const file of [local, remote]) if (!isFile(file)) throw new AppError('ERR_PATH_NOT_FOUND', { path: file })
    await mustBeInRepository(dirname(merged), call.env)
    const files: ToolCall = { base: base && isFile(base) ? base : null, ours: local, theirs: remote, merged }
    const run = startToolRun(files)
    return openApp(call, dirname(merged), text(call.values, 'host'), run)
  },
}

/** Drafts are kept in the repository of the file. Errors: ERR_NOT_A_REPOSITORY. */
async function mustBeInRepository(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const there = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
  const asked = ['rev-parse', '--is-inside-work-tree']
  const answer = there ? await createGit({ cwd: folder, env }).run(asked, { ok: [0, 128] }) : null
  if (answer?.stdout.toString('latin1').trim() !== 'true') throw new AppError('ERR_NOT_A_REPOSITORY', { path: folder })
}

/** `/dev/null` counts as one that is empty, which is as good as none. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
