/** Whether node_modules holds what the lock file names. `folder`: of the project. */
export function isInstalled(folder?: string): boolean
/** A Node that can run the app. */
export function fitNode(): string
