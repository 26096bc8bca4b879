import { Fragment } from 'react'

/** A text whose parts between backticks are code. A backtick without a mate is itself. */
export function Coded({ text }: { readonly text: string }) {
  const parts = text.split(/`([^`]+)`/)
  let at = 0
  return parts.map((part, i) => {
    const key = at
    at += part.length + 1
    return i % 2 === 1 ? <code key={key}>{part}</code> : <Fragment key={key}>{part}</Fragment>
  })
}
