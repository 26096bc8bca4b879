import { isChecked, leftOf, type OpenItem } from '../../state/resolver.ts'
import { Icon } from '../../ui/Icon.tsx'

/** What is proven of the result, and its facts; the last answer stays, marked, until the next one is there. */
export function ProofLine({ open }: { readonly open: OpenItem }) {
  const check = open.check?.value ?? null
  const pending = !isChecked(open)
  const left = leftOf(open)
  return (
    <section className={`proof${pending && check !== null ? ' pending' : ''}`} aria-label="Proof">
      {open.checkProblem !== null ? (
        <span className="stop row" role="alert">
          <Icon name="warn" />
          The result could not be checked: {open.checkProblem.message}
        </span>
      ) : check === null ? (
        <span className="dimmer">Checking the result.</span>
      ) : (
        <>
          <span className={`row ${check.holds ? '' : 'stop'}`}>
            <Icon name={check.holds ? 'shield' : 'warn'} className={check.holds ? 'ok' : 'stop'} />
            <span className="cut">{check.proof}</span>
          </span>
          {check.facts !== '' && (
            <>
              <span className="dimmer">·</span>
              <span className="cut" title={check.facts}>
                {check.facts}
              </span>
            </>
          )}
          {check.oid !== null && (
            <>
              <span className="dimmer">·</span>
              <span className="nowrap">
                blob <code>{check.oid.slice(0, 7)}</code>
              </span>
            </>
          )}
        </>
      )}
      <span className="grow" />
      <span className="nowrap">
        {pending && check !== null
          ? 'checking'
          : left === 0
            ? 'nothing is open'
            : `${left} to decide before it is resolved`}
      </span>
    </section>
  )
}
