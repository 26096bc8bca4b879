import { AppError } from '../../../../shared/errors/index.ts'
import { emptyDraft } from '../../../../shared/merge/draft/index.ts'
import {
  type ConflictItem,
  type ConflictSource,
  Draft,
  type DraftCheck,
  type MergeView,
  type Refusal,
} from '../../../../shared/model/index.ts'
import type { RepositoryContext } from '../../context.ts'
import { type DraftRow, keepDraft, readDrafts } from '../../store/drafts.ts'
import { type ConflictReader, nameOf } from '../provider.ts'
import { misfit } from './about.ts'
import { About } from './aboutSchema.ts'
import type { CheckSetup } from './check/checkDraft.ts'
import type { Kept, TextInput } from './jobs.ts'
import type { TextRunner } from './runner.ts'
import { readSides, sourceKey } from './sides.ts'

/** The lines of an item and what was decided about it. */
export interface OpenedText {
  /** Null where lines are not to be decided. */
  readonly merge: MergeView | null
  readonly draft: Draft
  readonly carried: readonly string[]
  readonly draftSavedAt: string | null
}

/** What a draft makes of an item's lines. */
export type DecidedLines =
  /** `lost`: lines that a side added and that went without anyone's decision. */
  | { readonly bytes: Uint8Array; readonly lost: number }
  /** So many conflicts are open. */
  | { readonly open: number }
  | { readonly refusal: Refusal }

/** The texts of conflicts: opened, drafted and made into bytes. */
export interface ConflictTexts {
  /** Errors: ERR_CANCELLED once `signal` is aborted. */
  open(repo: RepositoryContext, source: ConflictSource, item: ConflictItem, signal?: AbortSignal): Promise<OpenedText>
  /** The bytes of the item's lines as they are to be written. Errors: ERR_BAD_REQUEST where the draft is not about these sides. */
  decided(repo: RepositoryContext, source: ConflictSource, item: ConflictItem, draft: Draft): Promise<DecidedLines>
  /** The draft's result, checked against the sides. Null where lines are not to be decided. Errors: as above. */
  check(
    repo: RepositoryContext,
    source: ConflictSource,
    item: ConflictItem,
    draft: Draft,
    setup: CheckSetup,
  ): Promise<DraftCheck | null>
  /** A draft and its sides as a bug report, JSON. Errors: as above. */
  repro(
    repo: RepositoryContext,
    source: ConflictSource,
    item: ConflictItem,
    draft: Draft,
    version: string,
  ): Promise<string>
  /**
   * Keeps a draft about the sides with this fingerprint: those of now, or those that were opened here a moment ago.
   * Errors: ERR_BAD_REQUEST, as above; ERR_NO_SUCH_CONFLICT where nothing is known of such sides.
   */
  save(repo: RepositoryContext, source: ConflictSource, draft: DraftToKeep): Promise<void>
  /** The decision that stands about an item's sides as they are; null where there is none. */
  decision(repo: RepositoryContext, source: ConflictSource, item: ConflictItem): Decided | null
}

export interface DraftToKeep {
  readonly item: string
  readonly fingerprint: string
  readonly draft: Draft
  readonly at: string
  /** The decision stands and waits for the others of its source. */
  readonly decided?: boolean
  /** The decision is this side as a whole. */
  readonly whole?: 'ours' | 'theirs'
}

/** A decision that stands. */
export interface Decided {
  readonly draft: Draft
  readonly whole: 'ours' | 'theirs' | null
}

/** Sides that were opened lately are kept at hand, so many of them. */
const OPENED = 6

const NO_ABOUT: About = { whole: null, conflicts: [], edits: [] }

export function createConflictTexts(reader: ConflictReader, runner: TextRunner): ConflictTexts {
  const opened = new Map<string, TextInput | null>()
  const nameOfSides = (repo: RepositoryContext, source: ConflictSource, item: string, fingerprint: string) =>
    JSON.stringify([repo.repository.id, sourceKey(repo, source), item, fingerprint])
  const sidesOf = async (repo: RepositoryContext, source: ConflictSource, item: ConflictItem, anew = false) => {
    const name = nameOfSides(repo, source, item.id, item.fingerprint)
    const known = anew ? undefined : opened.get(name)
    const input = known ?? (item.lines ? await readSides(reader, repo, source, item) : null)
    opened.delete(name)
    opened.set(name, input)
    for (const oldest of opened.keys()) {
      if (opened.size <= OPENED) break
      opened.delete(oldest)
    }
    return input
  }
  const { run } = runner

  return {
    async open(repo, source, item, signal) {
      const rows = readDrafts(repo.state, sourceKey(repo, source), item.id)
      const row = rows.find((one) => one.fingerprint === item.fingerprint) ?? rows[0]
      const kept = row === undefined ? null : readRow(row, row.fingerprint === item.fingerprint)
      const input = await sidesOf(repo, source, item, true)
      const answer = input === null ? null : await run({ do: 'view', input, kept }, signal)
      const empty: Draft = { ...emptyDraft(null), lines: (answer?.view.conflicts ?? []).map(() => null) }
      const lines = answer?.kept?.draft ?? empty
      const stands = kept?.sameSides === true
      const left = [...(answer?.kept?.left ?? [])]
      if (row !== undefined && kept === null) left.push('What was kept for it: it could not be read.')
      if (kept !== null && kept.draft.choice !== null && !stands)
        left.push('The choice that was made: its sides are others now.')
      return {
        merge: answer?.view ?? null,
        draft: { ...lines, choice: stands ? kept.draft.choice : null, dropped: kept?.draft.dropped ?? [] },
        carried: left,
        draftSavedAt: kept === null ? null : (row?.savedAt ?? null),
      }
    },

    async decided(repo, source, item, draft) {
      const input = await sidesOf(repo, source, item)
      if (input === null) throw wrongDraft('its sides are not merged by line')
      const made = await run({ do: 'bytes', input, draft })
      if ('misfit' in made) throw wrongDraft(made.misfit)
      if ('unwritable' in made) {
        const lines = made.unwritable.map((line) => line + 1)
        return { refusal: { refusal: 'cannot-encode', path: item.path, lines, encoding: made.encoding } }
      }
      return made.open > 0 ? { open: made.open } : { bytes: made.bytes, lost: made.lost }
    },

    async check(repo, source, item, draft, setup) {
      const input = await sidesOf(repo, source, item)
      if (input === null) return null
      const checked = await run({ do: 'check', input, draft, setup })
      if ('misfit' in checked) throw wrongDraft(checked.misfit)
      return checked.check
    },

    async repro(repo, source, item, draft, version) {
      const input = await sidesOf(repo, source, item)
      if (input === null)
        return JSON.stringify(
          { repro: 1, kind: item.kind, draft, stages: item.stages.map(({ stage, mode }) => ({ stage, mode })) },
          null,
          2,
        )
      const made = await run({ do: 'repro', input, draft, version })
      if ('misfit' in made) throw wrongDraft(made.misfit)
      return JSON.stringify(made.repro, null, 2)
    },

    decision(repo, source, item) {
      const rows = readDrafts(repo.state, sourceKey(repo, source), item.id)
      const row = rows.find((one) => one.decided && one.fingerprint === item.fingerprint)
      const kept = row === undefined ? null : readRow(row, true)
      return kept === null ? null : { draft: kept.draft, whole: kept.about.whole }
    },

    async save(repo, source, { item: id, fingerprint, draft, at, decided = false, whole = null }) {
      let input = opened.get(nameOfSides(repo, source, id, fingerprint))
      if (input === undefined) {
        const { item } = await reader.item(repo, source, id)
        if (item.fingerprint !== fingerprint)
          throw new AppError('ERR_NO_SUCH_CONFLICT', { what: `${nameOf(source)}, ${item.path}` })
        input = await sidesOf(repo, source, item)
      }
      const answer = input === null ? null : await run({ do: 'about', input, draft })
      const wrong = answer === null ? misfit(null, draft) : 'misfit' in answer ? answer.misfit : null
      if (wrong !== null) throw wrongDraft(wrong)
      const about = { ...(answer !== null && 'about' in answer ? answer.about : NO_ABOUT), whole }
      const row = {
        source: sourceKey(repo, source),
        item: id,
        fingerprint,
        draft: JSON.stringify(draft),
        about: JSON.stringify(about),
        decided,
        savedAt: at,
      }
      // A page keeps its draft a moment after each act: late, and unchanged, it takes no decision back.
      const stands = readDrafts(repo.state, row.source, id).find(
        (one) => one.fingerprint === fingerprint && one.decided,
      )
      if (decided || stands?.draft !== row.draft) keepDraft(repo.state, row)
    },
  }
}

const wrongDraft = (issue: string) => new AppError('ERR_BAD_REQUEST', { method: 'conflicts', issues: [issue] })

/** A kept draft; null where it is none that this version knows. */
function readRow(row: DraftRow, sameSides: boolean): Kept | null {
  try {
    const draft = Draft.safeParse(JSON.parse(row.draft))
    const about = About.safeParse(JSON.parse(row.about))
    return draft.success && about.success ? { draft: draft.data, about: about.data, sameSides } : null
  } catch {
    return null
  }
}
