/** What cannot run on this machine, each with its reason. `folder`: of the project. */
export function notRun(folder?: string, env?: NodeJS.ProcessEnv): string[]
