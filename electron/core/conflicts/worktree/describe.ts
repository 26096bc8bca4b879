import { count } from '../../../../shared/errors/refusals.ts'
import type { ConflictChoice, ConflictKind, ConflictStage, Who } from '../../../../shared/model/index.ts'
import type { Holds } from './content.ts'
import type { Entry, ItemFacts, Sides, Told } from './itemFacts.ts'
import { foldersOf } from './movedAlong.ts'
import { atStart, beside, bytes, conflictsOf, linesOf, nounOf } from './sentences.ts'

/** Kind, sentence and choices of one conflict. */
export function inWords(facts: ItemFacts, sides: Sides): Told {
  const { shape } = facts.group
  switch (shape.is) {
    case 'renamed-apart':
      return renamedApart(facts, sides, shape)
    case 'renamed-together':
      return renamedTogether(facts, sides, shape)
    case 'renamed-deleted':
      return oneSided(facts, sides, shape.from)
    case 'moved-along':
      return movedAlong(facts, sides, shape.from)
    case 'in-the-way':
      return sides.ours && sides.theirs ? otherType(facts, sides) : inTheWay(facts, sides, shape.beside)
    default:
      return onePath(facts, sides)
  }
}

type Result = ConflictChoice['result']
type ChoiceSide = ConflictChoice['side']

const choice = (id: string, side: ChoiceSide, label: string, result: Result, notes: string[] = []): ConflictChoice => ({
  id,
  side,
  label,
  result,
  notes,
})

const entry = (path: string, stage: Pick<ConflictStage, 'mode' | 'oid'>): Entry => ({
  path,
  mode: stage.mode,
  oid: stage.oid,
})

const typeOf = (mode: string) => (mode === '120000' ? 'link' : mode === '160000' ? 'module' : 'file')

function onePath(facts: ItemFacts, sides: Sides): Told {
  const { base, ours, theirs } = sides
  if (!ours && !theirs) return bothDeleted(facts, sides)
  if (!ours || !theirs) return facts.folder.length > 0 ? inTheWay(facts, sides, null) : oneSided(facts, sides, null)
  const types = new Set([base, ours, theirs].flatMap((one) => (one ? [typeOf(one.mode)] : [])))
  if (types.size > 1) return otherType(facts, sides)
  if (types.has('module')) return submodules(facts, sides)
  if (types.has('link')) return links(facts, sides)
  if (!base && ours.oid === theirs.oid) return modes(facts, sides, ours, theirs)
  if (sides.merged === null) return notText(facts, sides, ours, theirs)
  const both = `${atStart(facts.ours.name)} and ${facts.theirs.name} both`
  const many = conflictsOf(sides.conflicts)
  if (base) return { kind: 'text', sentence: `${both} changed this file${many}.`, choices: [] }
  const { choices } = ours.mode === theirs.mode ? { choices: [] } : modes(facts, sides, ours, theirs)
  return { kind: 'add-add', sentence: `${both} created this file, each with other lines${many}.`, choices }
}

/** Each side whole, and the base where there is one. */
function wholes(facts: ItemFacts, { base, ours, theirs }: Sides, what: string): ConflictChoice[] {
  const { path } = facts.group
  const of = (id: 'ours' | 'theirs' | 'base', label: string, stage: ConflictStage | undefined) =>
    stage ? [choice(id, id, label, [entry(path, stage)])] : []
  return [
    ...of('ours', `Take ${what} of ${facts.ours.name}`, ours),
    ...of('theirs', `Take ${what} of ${facts.theirs.name}`, theirs),
    ...of('base', 'Keep the version before both', base),
  ]
}

function notText(facts: ItemFacts, sides: Sides, ours: ConflictStage, theirs: ConflictStage): Told {
  const stages = [ours, theirs, ...(sides.base ? [sides.base] : [])]
  const holds = new Set(stages.map((one) => facts.blobs.get(one.oid)?.holds ?? 'binary'))
  const kind: Exclude<Holds, 'text'> = holds.has('lfs')
    ? 'lfs'
    : holds.size === 1 && holds.has('image')
      ? 'image'
      : 'binary'
  const noun = {
    lfs: 'this file, which Git LFS keeps elsewhere',
    image: 'this image',
    binary: 'this file, which is no text',
  }
  const size = (stage: ConflictStage) => sizeOf(facts, stage)
  const did = sides.base ? 'changed' : 'created'
  const both = `${atStart(facts.ours.name)} and ${facts.theirs.name} both ${did} ${noun[kind]}`
  const sentence = `${both}: ${bytes(size(ours))} and ${bytes(size(theirs))}.`
  const what = kind === 'image' ? 'the image' : 'the file'
  return { kind, sentence, choices: wholes(facts, sides, what) }
}

/** Bytes of a file; of a large file kept elsewhere what its pointer says. */
function sizeOf({ blobs }: ItemFacts, stage: ConflictStage): number {
  const blob = blobs.get(stage.oid)
  const told = blob?.holds === 'lfs' ? /^size (\d+)$/m.exec(blob.bytes?.toString('latin1') ?? '')?.[1] : undefined
  return told === undefined ? (blob?.size ?? 0) : Number(told)
}

function submodules(facts: ItemFacts, sides: Sides): Told {
  const { ours, theirs } = facts
  const sentence = `${atStart(ours.name)} and ${theirs.name} moved this submodule to different commits: ${sides.ours?.oid.slice(0, 7)} and ${sides.theirs?.oid.slice(0, 7)}.`
  return { kind: 'submodule', sentence, choices: wholes(facts, sides, 'the commit') }
}

function links(facts: ItemFacts, sides: Sides): Told {
  const target = (stage: ConflictStage | undefined) =>
    stage ? (facts.blobs.get(stage.oid)?.bytes?.toString('utf8') ?? stage.oid.slice(0, 7)) : ''
  const { ours, theirs } = facts
  const sentence = `${atStart(ours.name)} points this symbolic link at ${target(sides.ours)}, ${theirs.name} at ${target(sides.theirs)}.`
  return { kind: 'symlink', sentence, choices: wholes(facts, sides, 'the link') }
}

function modes(facts: ItemFacts, sides: Sides, ours: ConflictStage, theirs: ConflictStage): Told {
  const { path } = facts.group
  const oid = sides.merged ? ('merged' as const) : ours.oid
  const word = (mode: string) => (mode === '100755' ? 'Executable' : 'Not executable')
  const by = ours.mode === '100755' ? facts.ours : facts.theirs
  const created = `${atStart(facts.ours.name)} and ${facts.theirs.name} both created this file with the same content`
  return {
    kind: 'mode',
    sentence: `${created}; only ${by.name} made it executable.`,
    choices: [
      choice('ours', 'ours', `${word(ours.mode)}, as ${facts.ours.name} has it`, [{ path, mode: ours.mode, oid }]),
      choice('theirs', 'theirs', `${word(theirs.mode)}, as ${facts.theirs.name} has it`, [
        { path, mode: theirs.mode, oid },
      ]),
    ],
  }
}

function bothDeleted(facts: ItemFacts, { base }: Sides): Told {
  const { path } = facts.group
  const both = `${atStart(facts.ours.name)} and ${facts.theirs.name}`
  return {
    kind: 'both-deleted',
    sentence: `${both} both deleted or renamed this file.`,
    choices: [
      choice('delete', 'neither', 'Leave it deleted', []),
      ...(base ? [choice('base', 'base', 'Put the version before both back', [entry(path, base)])] : []),
    ],
  }
}

interface OneSide {
  readonly keeper: Who
  readonly other: Who
  readonly side: 'ours' | 'theirs'
  readonly away: 'ours' | 'theirs'
  readonly stage: ConflictStage
  readonly changed: number | null
}

function oneSide({ ours, theirs }: ItemFacts, sides: Sides): OneSide {
  if (sides.ours)
    return { keeper: ours, other: theirs, side: 'ours', away: 'theirs', stage: sides.ours, changed: sides.changed.ours }
  const stage = sides.theirs as ConflictStage
  return { keeper: theirs, other: ours, side: 'theirs', away: 'ours', stage, changed: sides.changed.theirs }
}

const inOrder = (side: 'ours' | 'theirs', mine: ConflictChoice, other: ConflictChoice) =>
  side === 'ours' ? [mine, other] : [other, mine]

/** One side deleted what the other changed, or renamed. */
function oneSided(facts: ItemFacts, sides: Sides, from: string | null): Told {
  const { path } = facts.group
  const { keeper, other, side, away, stage, changed } = oneSide(facts, sides)
  const lines = changed === null ? null : linesOf(changed)
  const renamed = facts.group.shape.is === 'renamed-deleted' || !sides.base
  const lost = changed ? [`${lines} that ${keeper.name} changed ${changed === 1 ? 'is' : 'are'} given up.`] : []
  const label = renamed
    ? `Keep it as ${beside(path, from ?? path)}, as ${keeper.name} has it`
    : changed
      ? `Keep the file, with the ${changed === 1 ? 'changed line' : `${changed} changed lines`} of ${keeper.name}`
      : `Keep the file as ${keeper.name} has it`
  const keep = choice(side, side, label, [entry(path, stage)])
  const gone = choice(away, away, `Delete it, as ${other.name} did`, [], lost)
  const back = sides.base
    ? [choice('base', 'base', `Put the version before both back`, [entry(from ?? path, sides.base)])]
    : []
  return {
    kind: renamed ? 'rename-delete' : 'modify-delete',
    sentence: sentenceOfOne(facts, sides, from, renamed),
    choices: [...inOrder(side, keep, gone), ...back],
  }
}

function sentenceOfOne(facts: ItemFacts, sides: Sides, from: string | null, renamed: boolean): string {
  const { path } = facts.group
  const { keeper, other, stage, changed } = oneSide(facts, sides)
  const and = changed ? ` and changed ${linesOf(changed)} of it` : ''
  if (renamed) {
    if (from === null)
      return `${atStart(keeper.name)} has a file that git put here; it knows none of that name of ${other.name}.`
    const old = beside(from, path)
    return `${atStart(keeper.name)} renamed ${old} to ${beside(path, from ?? path)}${and}; ${other.name} deleted it.`
  }
  const what =
    changed !== null && changed > 0
      ? `changed ${linesOf(changed)} of it`
      : sides.base?.mode !== stage.mode
        ? 'changed its mode'
        : 'changed it'
  return `${atStart(other.name)} deleted this file; ${keeper.name} ${what}.`
}

/** One side added a file to a folder that the other renamed. */
function movedAlong(facts: ItemFacts, sides: Sides, from: string): Told {
  const { path } = facts.group
  const { keeper, other, side, away, stage } = oneSide(facts, sides)
  const [before, after] = foldersOf(from, path)
  const keep = choice(side, side, `Keep it as ${from}, as ${keeper.name} has it`, [entry(from, stage)])
  const move = choice(away, away, `Move it along to ${path}, where ${other.name} has the folder`, [entry(path, stage)])
  return {
    kind: 'rename-add',
    sentence: `${atStart(keeper.name)} added ${from}; ${other.name} renamed ${before || 'the top folder'} to ${after || 'the top folder'}.`,
    choices: inOrder(side, keep, move),
  }
}

function renamedApart(facts: ItemFacts, sides: Sides, to: { from: string; ours: string; theirs: string }): Told {
  const { ours, theirs } = facts
  const [mine, other] = [beside(to.ours, to.from), beside(to.theirs, to.from)]
  const mode = (sides.ours ?? sides.theirs)?.mode ?? '100644'
  const kept = sides.lost ? (facts.own.ours.get(to.ours) ?? sides.base?.oid) : undefined
  const oid = (stage: ConflictStage | undefined) => (sides.merged ? ('merged' as const) : (kept ?? stage?.oid ?? ''))
  const lost = `Both changed its lines, and git kept only its own merge of them, with conflict markers`
  const notes = sides.lost
    ? [`With the lines of ${ours.name} alone: those of ${theirs.name} are not to be had here.`]
    : []
  const lines = sides.lost
    ? ` ${lost}: what ${theirs.name} has is not to be had here.`
    : sides.conflicts
      ? ` Both changed its lines${conflictsOf(sides.conflicts)}.`
      : ''
  const at = (path: string, stage: ConflictStage | undefined) => ({ path, mode: stage?.mode ?? mode, oid: oid(stage) })
  return {
    kind: 'rename-rename',
    sentence: `${atStart(ours.name)} renamed ${beside(to.from, to.ours)} to ${mine}; ${theirs.name} renamed it to ${other}.${lines}`,
    choices: [
      choice('ours-name', 'ours', `Name it ${mine}, as ${ours.name} did`, [at(to.ours, sides.ours)], notes),
      choice('theirs-name', 'theirs', `Name it ${other}, as ${theirs.name} did`, [at(to.theirs, sides.theirs)], notes),
      choice('both', 'both', 'Keep it under both names', [at(to.ours, sides.ours), at(to.theirs, sides.theirs)], notes),
      choice('base', 'base', `Keep the old name, ${beside(to.from, to.ours)}`, [at(to.from, sides.ours)], notes),
    ],
  }
}

function renamedTogether(facts: ItemFacts, sides: Sides, from: { ours: string | null; theirs: string | null }): Told {
  const { path } = facts.group
  const { ours: me, theirs: other } = facts
  const [mine, yours] = [sides.ours as ConflictStage, sides.theirs as ConflictStage]
  const did = (who: Who, old: string | null) =>
    old === null
      ? `${who.name} created a file of that name`
      : `${who.name} renamed ${beside(old, path)} to ${beside(path, old)}`
  // The renamer is told first, so that "that name" is known.
  const [first, second] =
    from.ours === null ? [did(other, from.theirs), did(me, null)] : [did(me, from.ours), did(other, from.theirs)]
  // One of them goes back to the name it had; with two renames theirs does.
  const apart =
    from.theirs !== null
      ? [entry(path, mine), entry(from.theirs, yours)]
      : [entry(from.ours ?? path, mine), entry(path, yours)]
  const [kept, back] = from.theirs !== null ? [me, other] : [other, me]
  const label = `Keep both: ${beside(path, path)} of ${kept.name}, ${beside(from.theirs ?? from.ours ?? path, path)} of ${back.name}`
  const lost = (who: Who) => [`The file of ${who.name} is given up.`]
  const mode = mine.mode === '100755' && yours.mode === '100755' ? '100755' : mine.mode
  return {
    kind: from.ours !== null && from.theirs !== null ? 'rename-rename' : 'rename-add',
    sentence: `${atStart(first)}; ${second}.`,
    choices: [
      choice('ours', 'ours', `Take the file of ${me.name}`, [entry(path, mine)], lost(other)),
      choice('theirs', 'theirs', `Take the file of ${other.name}`, [entry(path, yours)], lost(me)),
      choice('both', 'both', label, apart),
      ...(sides.merged
        ? [choice('merged', 'both', 'Make one file of both, line by line', [{ path, mode, oid: 'merged' as const }])]
        : []),
    ],
  }
}

function otherType(facts: ItemFacts, sides: Sides): Told {
  const { path, stages } = facts.group
  const [mine, yours] = [sides.ours as ConflictStage, sides.theirs as ConflictStage]
  const has = (who: Who, stage: ConflictStage, changed: number | null) =>
    `${who.name} has a ${nounOf(stage.mode)}${changed && typeOf(stage.mode) === 'file' ? ` with ${count(changed, 'changed line')}` : ''} here`
  const kind: ConflictKind = 'type-change'
  const apart = new Set(stages.map((one) => one.path)).size > 1
  const names = [mine, yours].map((one) => `${one.path} (the ${nounOf(one.mode)})`)
  return {
    kind,
    sentence: `${atStart(has(facts.ours, mine, sides.changed.ours))}; ${has(facts.theirs, yours, sides.changed.theirs)}.`,
    choices: [
      choice('ours', 'ours', `Keep the ${nounOf(mine.mode)}, as ${facts.ours.name} has it`, [entry(path, mine)]),
      choice('theirs', 'theirs', `Keep the ${nounOf(yours.mode)}, as ${facts.theirs.name} has it`, [
        entry(path, yours),
      ]),
      ...(apart
        ? [
            choice('both', 'both', `Keep both: ${names.join(' and ')}`, [
              entry(mine.path, mine),
              entry(yours.path, yours),
            ]),
          ]
        : []),
      ...(sides.base ? [choice('base', 'base', 'Keep the version before both', [entry(path, sides.base)])] : []),
    ],
  }
}

/** A file where the other side has a folder. */
function inTheWay(facts: ItemFacts, sides: Sides, aside: string | null): Told {
  const { folder, group } = facts
  if (folder.length === 0 && aside === null) return oneSided(facts, sides, null)
  const { keeper, other, side, away, stage } = oneSide(facts, sides)
  const { path } = group
  const at = aside ?? `${path}~${side}`
  const files = count(folder.length, 'file')
  const mine = choice(
    side,
    side,
    `Keep the ${nounOf(stage.mode)}, as ${keeper.name} has it`,
    [entry(path, stage)],
    [`The folder of ${other.name} with ${files} is given up.`],
  )
  const theirs = choice(
    away,
    away,
    `Keep the folder, as ${other.name} has it`,
    [...folder],
    [`The file of ${keeper.name} is given up.`],
  )
  return {
    kind: 'file-directory',
    sentence: `${atStart(keeper.name)} has a ${nounOf(stage.mode)} here; ${other.name} has a folder with ${files} of the same name.`,
    choices: [
      ...inOrder(side, mine, theirs),
      choice('both', 'both', `Keep both: the file as ${at}`, [entry(at, stage), ...folder]),
    ],
  }
}
