import { AppError } from '../../../shared/errors/index.ts'
import { SAFE_FLAGS } from './environment.ts'
import type { Git } from './process.ts'

/** Git's own answers in text, for questions whose exit code and bytes do not matter. */
export interface Porcelain {
  /** Runs git with these arguments and gives what it printed. Errors: ERR_GIT. */
  raw(args: readonly string[]): Promise<string>
}

/** What simple-git guards and we set ourselves, to take the repository's own programs out of force. */
const OUR_OWN = {
  allowUnsafeConfigEnvCount: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeHooksPath: true,
  allowUnsafeFilter: true,
  allowUnsafeMergeDriver: true,
  allowUnsafeSshCommand: true,
} as const

/** Variables of the person's own that simple-git refuses to pass on, and that no text query needs. */
const LEFT_OUT = /^(?:EDITOR|VISUAL|PAGER|PREFIX|.*_?ASKPASS|GIT_(?:EXEC_PATH|SSL_CAINFO|TRACE.*|CONFIG_.*FILE))$/

/**
 * simple-git in the folder and environment of `git`, with the same overrides. Loaded at the first use: most commands
 * need no text query, and loading it costs more than many of them take.
 */
export async function openPorcelain(git: Git): Promise<Porcelain> {
  const { simpleGit } = await import('simple-git')
  const env = Object.fromEntries(Object.entries(git.environment()).filter(([name]) => !LEFT_OUT.test(name)))
  const runner = simpleGit({
    baseDir: git.cwd,
    allowEnvironment: Object.keys(env),
    unsafe: OUR_OWN,
    config: SAFE_FLAGS.filter((flag) => flag !== '-c'),
  }).env(env)
  return {
    raw: async (args) => {
      try {
        return await runner.raw([...args])
      } catch (cause) {
        const detail = cause instanceof Error ? cause.message.trim() : String(cause)
        throw new AppError('ERR_GIT', { verb: args[0] ?? '', exitCode: null, detail }, { cause })
      }
    },
  }
}
