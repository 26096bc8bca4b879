import { PassThrough, Readable } from 'node:stream'
import { type TestHome, withHome } from '../../../e2e/support/index.ts'
import { run } from '../run.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Envelope {
  readonly apiVersion: string
  readonly type?: string
  readonly data: Record<string, unknown>
  readonly error?: string
  readonly code?: string
  readonly suggestions?: readonly { readonly label: string; readonly shell?: string }[]
}

/** The command line, run in this process in a folder. */
export function commandLine(cwd: string, home: TestHome = withHome()) {
  const daybreak = (...argv: string[]): Promise<Ran> => fed('', ...argv)
  /** With a text on standard input. */
  const fed = async (input: string, ...argv: string[]): Promise<Ran> => {
    let out = ''
    let err = ''
    const code = await run(argv, {
      env: home.env,
      cwd,
      stdin: Readable.from([Buffer.from(input)]),
      stdout: new PassThrough(),
      out: async (text) => {
        out += text
      },
      err: async (text) => {
        err += text
      },
    })
    return { code, out, err }
  }
  /** With `--json`: exactly one line on stdout, which is an envelope. */
  const json = async (...argv: string[]): Promise<{ code: number; envelope: Envelope; err: string }> => {
    const { code, out, err } = await daybreak(...argv, '--json')
    if (!/^[^\n]+\n$/.test(out)) throw new Error(`not one line: ${JSON.stringify(out)}`)
    return { code, envelope: JSON.parse(out), err }
  }
  return { daybreak, fed, json, home }
}
