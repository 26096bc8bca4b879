import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AppError } from '../../../shared/errors/index.ts'
import type { Repository } from '../../../shared/model/index.ts'
import type { Look, RepositoryContext } from '../context.ts'
import { createConfigReader } from '../git/configReader.ts'
import { type Discovered, discover, startFolder } from '../git/discover.ts'
import { type ConfigEntry, driverOverrides } from '../git/drivers.ts'
import { createObjectReader, type ObjectReader } from '../git/objects.ts'
import { createObjectWriter } from '../git/objectWriter.ts'
import { createGit, type Git } from '../git/process.ts'
import { readRefsQuickly } from '../git/refs.ts'
import { createRefMover } from '../git/refTransaction.ts'
import { withSteps } from '../git/steps.ts'
import { requireGit } from '../git/version.ts'
import { configOfOthers } from '../git/worktreeConfig.ts'
import { createMutationQueue } from '../operations/queue.ts'
import type { Ports } from '../ports.ts'
import { createIndexDb } from '../store/indexDb.ts'
import { withSqlSteps } from '../store/safeDatabase.ts'
import { openStateDb, type StateDb } from '../store/stateDb.ts'
import { combineSettings, readSources } from './settings.ts'

export interface OpenerSetup {
  readonly ports: Ports
  /** Whether an approved branch is kept where the repository does not say. */
  readonly keepByDefault: () => boolean
  /** Called before every git process, with its arguments. */
  readonly onCall?: (args: readonly string[]) => void
}

/** Identity of a repository: the same for all its worktrees. `commonDir`: its real path. */
const repositoryId = (commonDir: string): string => createHash('sha256').update(commonDir).digest('hex').slice(0, 16)

/**
 * Opens the repository that holds `path`. Writes nothing outside Daybreak's own folders.
 * Errors: ERR_PATH_NOT_FOUND, ERR_NO_PERMISSION, ERR_GIT_MISSING, ERR_GIT_TOO_OLD, and those of `discover`.
 */
export async function openRepository(setup: OpenerSetup, path: string): Promise<RepositoryContext> {
  const { ports, onCall } = setup
  const folder = startFolder(path)
  // The overrides are put in place once the configuration is known, and anew with each refresh.
  const overrides: Record<string, string> = {}
  const withFilters: Record<string, string> = {}
  const probe = createGit({
    cwd: folder,
    env: ports.env,
    extraEnv: overrides,
    extraEnvWithFilters: withFilters,
    ...(onCall ? { onCall } : {}),
  })
  const [version, found] = await Promise.allSettled([requireGit(probe), discover(probe)])
  // Too old a git may fail in any way: that is told first.
  if (version.status === 'rejected') throw version.reason
  if (found.status === 'rejected') throw found.reason
  const place = found.value
  const git = withSteps(probe.at(place.worktree ?? place.gitDir), ports.step)
  const readConfig = createConfigReader(git, place)
  const readOverrides = async () => {
    const config = await readConfig()
    const others = await configOfOthers(git, place.commonDir, config)
    const all = [...config, ...others.flatMap((one) => one.entries)]
    replaceAll(overrides, driverOverrides(all))
    replaceAll(withFilters, driverOverrides(all, { keep: true }))
    return config
  }
  const shared = openShared(ports, place, git)
  return createContext({ ...setup, place, git, readOverrides, ...shared })
}

/** Makes a record that others hold say what `next` says. */
function replaceAll(record: Record<string, string>, next: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(record)) if (!(name in next)) delete record[name]
  Object.assign(record, next)
}

interface Shared {
  readonly state: StateDb
  readonly dataDir: string
  readonly readOnly: boolean
  readonly objects: ObjectReader
}

function openShared(ports: Ports, place: Discovered, git: Git): Shared {
  const objects = createObjectReader(git)
  const inGit = join(place.commonDir, 'daybreak')
  if (canWrite(inGit) && canWrite(join(inGit, 'state.db'))) {
    const first = openStateDb(inGit)
    if (first.problem?.code !== 'ERR_READ_ONLY')
      return { state: withSqlSteps(first, ports.step), dataDir: inGit, readOnly: false, objects }
    first.close()
  }
  const dataDir = join(ports.home, 'repositories', repositoryId(place.commonDir))
  return { state: withSqlSteps(openStateDb(dataDir), ports.step), dataDir, readOnly: true, objects }
}

/** Whether a file or folder can be written, as far as it is there. */
function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

interface ContextParts extends OpenerSetup, Shared {
  readonly place: Discovered
  readonly git: Git
  readonly readOverrides: () => Promise<ConfigEntry[]>
}

async function createContext(parts: ContextParts): Promise<RepositoryContext> {
  const { place, git, objects, state } = parts
  const id = repositoryId(place.commonDir)
  const writer = createObjectWriter(git)
  const mover = createRefMover(git)

  const sources = async () => {
    const snapshot = await readRefsQuickly(git, place)
    return { snapshot, ...(await readSources(objects, state, snapshot)) }
  }
  const read = async (): Promise<Look> => {
    const [config, found] = await Promise.all([parts.readOverrides(), sources()])
    const { snapshot, trunk } = found
    const repository: Repository = {
      id,
      name: nameOf(place),
      path: place.path,
      commonDir: place.commonDir,
      bare: place.bare,
      linkedWorktree: place.linkedWorktree,
      head: snapshot.head,
      trunk,
      store: await isStore(place, objects, trunk.oid),
      readOnly: parts.readOnly,
    }
    return { repository, snapshot, config, sources: found, settings: combineSettings(found, parts.keepByDefault()) }
  }
  let { repository, config } = await read()
  const index = createIndexDb(parts.dataDir, parts.ports.step)
  const look = async (): Promise<Look> => {
    if (!existsSync(place.commonDir)) throw new AppError('ERR_PATH_NOT_FOUND', { path: place.path })
    const seen = await read()
    ;({ repository, config } = seen)
    return seen
  }
  return {
    get repository() {
      return repository
    },
    get config() {
      return config
    },
    git,
    objects,
    writer,
    mover,
    state,
    index,
    queue: createMutationQueue(),
    dataDir: parts.dataDir,
    worktree: place.worktree,
    gitDir: place.gitDir,
    sources,
    settings: async () => combineSettings(await sources(), parts.keepByDefault()),
    look,
    refresh: async () => (await look()).repository,
    dispose: async () => {
      objects.close()
      writer.close()
      mover.close()
      index.close()
      state.close()
    },
  }
}

const nameOf = (place: Discovered): string => basename(place.path).replace(/(.)\.git$/, '$1') || place.path

async function isStore(place: Discovered, objects: ObjectReader, trunk: string | null): Promise<boolean> {
  if (place.worktree && existsSync(join(place.worktree, '.memhtml'))) return true
  return trunk !== null && (await objects.read(`${trunk}:.memhtml`))?.type === 'tree'
}
