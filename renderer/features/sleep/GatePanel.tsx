import { useEffect, useRef } from 'react'
import type { Refusal } from '../../../shared/model/index.ts'
import type { Running } from '../../state/mirror.ts'
import { keyboardScrollable } from '../../ui/scrollable.ts'

/** Lines of output that are kept on the page; the rest of a chatty gate is cut at the front. */
const SHOWN_CHARS = 200_000

interface Props {
  readonly running: Running | null
  readonly refused: Refusal | null
}

/** What the gate writes, while it runs and after it failed. */
export function GatePanel({ running, refused }: Props) {
  const failed = refused?.refusal === 'gate-failed' ? refused : null
  const output = running ? running.output : (failed?.output ?? '')
  const ref = useRef<HTMLPreElement>(null)
  const length = output.length

  useEffect(() => {
    const pre = ref.current
    if (pre && length > 0) pre.scrollTop = pre.scrollHeight
  }, [length])

  if (running ? output === '' : failed === null) return null
  return (
    <section className="gate" aria-label="Gate output">
      <div className="panel-head">
        <h2>Gate output</h2>
        {failed && !running && <code className="small cut">{failed.command}</code>}
        <span className="grow" />
        {failed && !running && (
          <span className="small dim nowrap">
            {failed.exitCode === null ? failed.reason : `exit code ${failed.exitCode}`} after{' '}
            {failed.seconds.toFixed(1)} s
          </span>
        )}
      </div>
      <pre id="gate-output" ref={ref} role="log" {...keyboardScrollable} className="inset-focus">
        {output === '' ? 'The gate wrote nothing.' : output.slice(-SHOWN_CHARS)}
      </pre>
    </section>
  )
}
