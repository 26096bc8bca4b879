import { createHash } from 'node:crypto'
import type { ConflictChoice, ConflictItem, ConflictKind, ConflictStage, Who } from '../../../../shared/model/index.ts'
import type { MergePreview } from '../../sleep/merge.ts'
import { lineConflicts } from '../text/lineConflicts.ts'
import { areTexts, type SideBytes } from '../text/prepare.ts'

/** What is needed to say what is in conflict. */
export interface ItemSetup {
  readonly branch: string
  readonly ours: Who
  readonly theirs: Who
  readonly blob: (oid: string) => Promise<Buffer | null>
  /** Paths whose attributes say that they are not merged by line (`-merge`, `binary`). */
  readonly bySide: ReadonlySet<string>
}

/** The conflicts of a merge in memory, one for each path. */
export function itemsOf(setup: ItemSetup, stages: MergePreview['stages']): Promise<ConflictItem[]> {
  const paths = [...stages.keys()].sort()
  return Promise.all(
    paths.map((path) =>
      itemOf(
        setup,
        path,
        (stages.get(path) ?? []).map((one) => ({ ...one, path })),
      ),
    ),
  )
}

const isFile = (stage: ConflictStage | undefined) => stage?.mode === '100644' || stage?.mode === '100755'

async function itemOf(setup: ItemSetup, path: string, stages: readonly ConflictStage[]): Promise<ConflictItem> {
  const [base, ours, theirs] = [1, 2, 3].map((stage) => stages.find((one) => one.stage === stage))
  const files = isFile(ours) && isFile(theirs) && (base === undefined || isFile(base)) && !setup.bySide.has(path)
  const sides = files ? await sidesOf(setup, stages) : null
  const lines = sides !== null && areTexts(sides)
  const kind = kindOf(base, ours, theirs, lines)
  const fingerprint = fingerprintOf(stages)
  return {
    id: createHash('sha256').update(`branch\0${setup.branch}\0${path}`).digest('hex').slice(0, 16),
    path,
    paths: [path],
    kind,
    sentence: sentenceOf(setup, kind, base, ours),
    stages: [...stages],
    fingerprint,
    state: 'open',
    lines,
    choices: lines ? [] : choicesOf(setup, path, base, ours, theirs),
    total: lines && sides !== null ? lineConflicts(fingerprint, sides) : 1,
    left: null,
    rerere: 'none',
  }
}

export function fingerprintOf(stages: readonly ConflictStage[]): string {
  const parts = stages.map(({ path, stage, mode, oid }) => [path, stage, mode, oid])
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

async function sidesOf(setup: ItemSetup, stages: readonly ConflictStage[]): Promise<SideBytes | null> {
  const read = async (stage: number): Promise<Buffer | null> => {
    const found = stages.find((one) => one.stage === stage)
    return found === undefined ? null : setup.blob(found.oid)
  }
  const [base, ours, theirs] = await Promise.all([read(1), read(2), read(3)])
  return ours == null || theirs == null ? null : { base: base ?? null, ours, theirs }
}

function kindOf(
  base: ConflictStage | undefined,
  ours: ConflictStage | undefined,
  theirs: ConflictStage | undefined,
  lines: boolean,
): ConflictKind {
  if (lines) return base === undefined ? 'add-add' : 'text'
  const there = [base, ours, theirs].flatMap((one) => one ?? [])
  if (ours === undefined && theirs === undefined) return 'both-deleted'
  if (base !== undefined && (ours === undefined || theirs === undefined)) return 'modify-delete'
  if (ours === undefined || theirs === undefined) return 'file-directory'
  if (there.every((one) => one.mode === '160000')) return 'submodule'
  if (there.every((one) => one.mode === '120000')) return 'symlink'
  return there.every((one) => one.mode.startsWith('100')) ? 'binary' : 'type-change'
}

function sentenceOf(
  { ours, theirs }: ItemSetup,
  kind: ConflictKind,
  base: ConflictStage | undefined,
  stage: ConflictStage | undefined,
): string {
  const [gone, kept] = stage === undefined ? [ours.name, theirs.name] : [theirs.name, ours.name]
  if (kind === 'modify-delete') return `${gone} deleted this file; ${kept} changed it.`
  if (kind === 'both-deleted') return `${ours.name} and ${theirs.name} both moved or deleted this file.`
  if (kind === 'file-directory') return `${kept} has this file; ${gone} has none here.`
  return `${ours.name} and ${theirs.name} both ${base === undefined ? 'created' : 'changed'} this file.`
}

function choicesOf(
  setup: ItemSetup,
  path: string,
  base: ConflictStage | undefined,
  ours: ConflictStage | undefined,
  theirs: ConflictStage | undefined,
): ConflictChoice[] {
  const choice = (id: 'ours' | 'theirs' | 'base', stage: ConflictStage | undefined, who: string): ConflictChoice => ({
    id,
    side: id,
    label: stage === undefined ? `Delete it, as ${who} did` : `Keep it as ${who} has it`,
    result: stage === undefined ? [] : [{ path, mode: stage.mode, oid: stage.oid }],
    notes: [],
  })
  return [
    choice('ours', ours, setup.ours.name),
    choice('theirs', theirs, setup.theirs.name),
    ...(base === undefined ? [] : [choice('base', base, 'the version before both')]),
  ]
}
