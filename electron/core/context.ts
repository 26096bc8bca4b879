import type { Emit } from '../../shared/contract/index.ts'
import type { Repository } from '../../shared/model/index.ts'
import type { ConfigEntry } from './git/drivers.ts'
import type { ObjectReader } from './git/objects.ts'
import type { ObjectWriter } from './git/objectWriter.ts'
import type { Git } from './git/process.ts'
import type { RefSnapshot } from './git/refs.ts'
import type { RefMover } from './git/refTransaction.ts'
import type { MutationQueue } from './operations/queue.ts'
import type { Ports } from './ports.ts'
import type { AppDb } from './store/appDb.ts'
import type { IndexDb } from './store/indexDb.ts'
import type { StateDb } from './store/stateDb.ts'
import type { RepositorySettings, SettingsSources } from './usecases/settings.ts'

/** What one look at a repository tells. */
export interface Look {
  readonly repository: Repository
  readonly snapshot: RefSnapshot
  readonly config: readonly ConfigEntry[]
  readonly sources: SettingsSources
  readonly settings: RepositorySettings
}

/** All that a use case needs of one opened repository. Made by `usecases/openRepository.ts`, closed by `dispose`. */
export interface RepositoryContext {
  readonly repository: Repository
  /** Git with every local driver, filter and hook neutralised: for reading, previewing and our own plumbing. */
  readonly git: Git
  /** git's configuration in force, as it was at opening or at the last `look`. */
  readonly config: readonly ConfigEntry[]
  readonly objects: ObjectReader
  /** Writes objects, for verbs; nothing refers to them yet. */
  readonly writer: ObjectWriter
  /** Moves refs for verbs that follow each other closely. */
  readonly mover: RefMover
  readonly state: StateDb
  /** What is known of trunk's history, and the full text of its documents: can be read anew from git. */
  readonly index: IndexDb
  readonly queue: MutationQueue
  /** Where Daybreak's own databases are: `<common dir>/daybreak`, or a folder in the app's data where that cannot be written. */
  readonly dataDir: string
  /** Top of the working tree that was opened, null where there is none; `git` runs there, else in the git folder. */
  readonly worktree: string | null
  /** The opened worktree's own git folder: its HEAD, index and state of operations. */
  readonly gitDir: string
  /** All branches and HEAD at this moment, and where each setting comes from. */
  sources(): Promise<SettingsSources & { readonly snapshot: RefSnapshot }>
  /** As `refresh`, with all that was read for it: one look instead of three. */
  look(): Promise<Look>
  /** Trunk, sleep pattern, gate: from `.daybreak.yml` on trunk and the personal settings; read anew when trunk moved. */
  settings(): Promise<RepositorySettings>
  /** The repository's facts read anew (HEAD, trunk). */
  refresh(): Promise<Repository>
  dispose(): Promise<void>
}

/** All that a use case needs of the running core. */
export interface CoreContext {
  readonly ports: Ports
  readonly emit: Emit
  /** The app's own data: settings, recent repositories, trust. */
  readonly app: AppDb
  /** An opened repository by id, or ERR_REPOSITORY_NOT_OPEN. */
  repo(id: string): RepositoryContext
  /** Opens (or returns the already opened) repository that holds `path`. Changes nothing on disk outside Daybreak's own folders. */
  open(path: string): Promise<RepositoryContext>
}
