import { execFile } from 'node:child_process'

/** How long the person's shell may take to say its PATH, in milliseconds. */
const WITHIN = 3000
const MARK = '__daybreak_path__'

/**
 * The PATH that git is looked for on. An app started from a dock has the system's bare PATH, so the login shell is asked
 * for the person's own. On Windows, from a terminal, or where the shell does not answer: the PATH there is.
 */
export async function loginPath(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Promise<string> {
  const own = env.PATH ?? ''
  if (platform === 'win32' || env.TERM || !env.SHELL) return own
  const output = await new Promise<string>((resolve) => {
    const args = ['-ilc', `printf '%s' "${MARK}\${PATH}${MARK}"`]
    const child = execFile(env.SHELL ?? '', args, { env, timeout: WITHIN, killSignal: 'SIGKILL' }, (_error, stdout) =>
      resolve(stdout),
    )
    child.stdin?.end()
  })
  return output.split(MARK)[1] || own
}
