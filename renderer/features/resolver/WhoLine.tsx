import type { Who } from '../../../shared/model/index.ts'
import { when } from '../../ui/time.ts'

interface MarkProps {
  readonly side: 'ours' | 'theirs'
  readonly who: Who
}

/** A side's own mark: square or round, with its initial. */
export function WhoMark({ side, who }: MarkProps) {
  return (
    <span className={`who ${side}`} aria-hidden="true">
      {(who.name.match(/[\p{L}\p{N}]/u)?.[0] ?? '?').toUpperCase()}
    </span>
  )
}

/** Where a side comes from, beside its name: branch, author, time and commit, as far as they are known. */
export function whoFacts(who: Who): string[] {
  return [
    ...(who.branch !== null && who.branch !== who.name ? [who.branch] : []),
    ...(who.author !== null && who.author !== who.name ? [who.author] : []),
    ...(who.at === null ? [] : [when(who.at)]),
  ]
}

interface LineProps {
  readonly ours: Who
  readonly theirs: Who
  /** Beside each name its time, not its branch: of a candidate one side has no branch. */
  readonly at?: boolean
}

/** Who stands against whom. */
export function WhoLine({ ours, theirs, at = false }: LineProps) {
  return (
    <fieldset className="row dim small who-line" aria-label="Who against whom">
      <One side="ours" who={ours} at={at} />
      <span className="dimmer">against</span>
      <One side="theirs" who={theirs} at={at} />
    </fieldset>
  )
}

function One({ side, who, at }: MarkProps & { readonly at: boolean }) {
  const facts = whoFacts(who)
  const first = at && who.at !== null ? when(who.at) : facts[0]
  return (
    <>
      <WhoMark side={side} who={who} />
      <span className="cut" title={[who.name, ...facts, who.subject ?? ''].filter(Boolean).join(', ')}>
        <strong className="ink">{who.name}</strong>
        {first === undefined ? '' : `, ${first}`}
      </span>
    </>
  )
}
