import { Fragment } from 'react'
import type { Resolution } from '../../../shared/model/index.ts'

/** What happened, in one sentence, the names strong; below it other paths that belong to it. */
export function Sentence({ resolution }: { readonly resolution: Resolution }) {
  const { item, ours, theirs } = resolution
  const others = item.paths.filter((path) => path !== item.path)
  return (
    <section className="sentence" aria-label="What is in conflict">
      <h2>
        <Strong text={item.sentence} words={[ours.name, theirs.name]} />
      </h2>
      {others.length > 0 && <p>Also about {others.join(', ')}.</p>}
    </section>
  )
}

function Strong({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const known = new Set(words)
  const escaped = [...known]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  let at = 0
  return text.split(new RegExp(`(${escaped.join('|')})`)).map((part) => {
    const key = at
    at += part.length
    return known.has(part) ? <strong key={key}>{part}</strong> : <Fragment key={key}>{part}</Fragment>
  })
}
