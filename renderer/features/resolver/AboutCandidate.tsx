import type { Resolution, Who } from '../../../shared/model/index.ts'
import { Icon } from '../../ui/Icon.tsx'
import { when } from '../../ui/time.ts'

/** Of a candidate: what happened, what both said about their edits, and why its agent handed it over. */
export function AboutCandidate({ resolution }: { readonly resolution: Resolution }) {
  const { item, ours, theirs, publishing } = resolution
  if (publishing == null) return null
  const { escalated } = publishing
  const said = [ours, theirs].filter((who) => who.subject !== null && who.subject !== '')
  return (
    <section className={`reason small about ${escalated ? 'wait' : ''}`} aria-label="About this candidate">
      <Icon name={escalated ? 'overlap' : 'merge'} />
      <div className="about-words">
        {escalated && (
          <p>
            <strong>
              {ours.name} asks, {when(escalated.at)}:
            </strong>{' '}
            {escalated.reason}
          </p>
        )}
        <p className="dim">
          {item.sentence}{' '}
          {said.map((who) => (
            <Said key={who === ours ? 'ours' : 'theirs'} who={who} />
          ))}
        </p>
      </div>
    </section>
  )
}

function Said({ who }: { readonly who: Who }) {
  return (
    <>
      {who.name}: <q>{who.subject}</q>{' '}
    </>
  )
}
