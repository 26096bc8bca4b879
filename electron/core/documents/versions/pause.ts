/** Lets everything else that waits run first. */
export const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
