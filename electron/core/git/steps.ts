import type { Git } from './process.ts'

/** A git that tells of every call before and after it; of one that lives on, before it starts. */
export function withSteps(git: Git, step?: (step: string) => void): Git {
  if (!step) return git
  const around = async <T>(args: readonly string[], call: () => Promise<T>): Promise<T> => {
    const name = args.find((arg) => !arg.startsWith('-')) ?? ''
    step(`before git ${name}`)
    const answer = await call()
    step(`after git ${name}`)
    return answer
  }
  return {
    ...git,
    run: (args, options) => around(args, () => git.run(args, options)),
    text: (args, options) => around(args, () => git.text(args, options)),
    start: (args, options) => {
      step(`before start of git ${args[0]}`)
      return git.start(args, options)
    },
    at: (cwd) => withSteps(git.at(cwd), step),
  }
}
