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

/** Who stands against whom. */
export function WhoLine({ ours, theirs }: { readonly ours: Who; readonly theirs: Who }) {
  return (
    <p className="row dim small who-line">
      <One side="ours" who={ours} />
      <span className="dimmer">against</span>
      <One side="theirs" who={theirs} />
    </p>
  )
}

function One({ side, who }: MarkProps) {
  const facts = whoFacts(who)
  const [first] = facts
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
