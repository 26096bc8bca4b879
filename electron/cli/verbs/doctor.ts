import { resolve } from 'node:path'
import { type Answer, EXIT } from '../answer.ts'
import { text, type Verb } from '../verb.ts'
import { count, plain } from '../words.ts'

const SHAPES = { ok: '✓', warning: '!', problem: '✕' } as const

export const verb: Verb = {
  options: {},
  words: 0,
  help: ['Exit code 1 where there is a problem; a warning is none.'],
  async run({ session, values, cwd }): Promise<Answer> {
    const findings = await session.call('doctor.run', { path: resolve(cwd, text(values, 'repo') ?? '.') })
    const problems = findings.filter((finding) => finding.level === 'problem').length
    const lines = findings.flatMap((finding) => [
      `${SHAPES[finding.level]} ${plain(finding.title)}${finding.detail === '' ? '' : `: ${plain(finding.detail)}`}`,
      ...(finding.mend === null ? [] : [`    mend: ${plain(finding.mend)}`]),
    ])
    lines.push(problems === 0 ? 'Nothing is wrong.' : `${count(problems, 'problem')}.`)
    return {
      type: 'doctor',
      data: { findings, problems },
      text: lines.join('\n'),
      exitCode: problems === 0 ? EXIT.success : EXIT.failed,
    }
  },
}
