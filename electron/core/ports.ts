/** The files of `daybreak mergetool`, absolute, and how it is told that it may end. */
export interface MergeTool {
  /** Null where there is no common version. */
  readonly base: string | null
  readonly ours: string
  readonly theirs: string
  /** Where the result goes. */
  readonly merged: string
  /** Ends it, once the page has had its answer. */
  readonly end: (resolved: boolean) => void
}

/** What a host gives the core. Tests give a fixed clock and a private home. */
export interface Ports {
  /** The app's own data folder: settings, recent repositories, trust, logs. */
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  readonly clock: () => Date
  readonly host: 'electron' | 'serve' | 'cli' | 'mcp'
  readonly version: string
  /** Writes one line to the log; never to stdout. */
  readonly log: (line: string) => void
  /** The repository to show first, when one was asked for. */
  readonly initialPath?: string
  /** Started for one file: its conflicts are shown first, as the source `tool`. */
  readonly tool?: MergeTool
  /** How long a lock of someone else is waited for, in milliseconds; a few seconds where it is not said. */
  readonly lockPatience?: number
  /**
   * Called at every named point of a verb, before the step it names. The kill suite ends the process here; a no-op
   * in real life.
   */
  readonly fault?: (point: string) => void
  /** Called before and after every git call and every transaction of a repository's state and index, for the kill suite. */
  readonly step?: (step: string) => void
}
