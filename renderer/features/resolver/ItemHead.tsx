import { openOverlay } from '../../state/app.ts'
import { useApp, useLost } from '../../state/react.ts'
import { leftOf, type OpenItem } from '../../state/resolver.ts'
import { markResolved } from '../../state/resolverVerbs.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ariaKeys, keyNames } from '../../ui/Keys.tsx'
import { showPath } from '../../ui/path.ts'
import { leftWords, whyNotResolved } from './model/reasons.ts'
import { WhoLine } from './WhoLine.tsx'

/** The path, who stands against whom, how much is left, and the act that writes it. */
export function ItemHead({ id, open }: { readonly id: string; readonly open: OpenItem }) {
  const app = useApp()
  const { item, ours, theirs, source } = open.resolution
  const lost = useLost()
  const why = lost ?? whyNotResolved(open)
  const resolved = item.state === 'resolved'
  const left = leftOf(open)
  const act = source.from === 'candidate' ? 'Publish resolution' : 'Mark resolved'
  return (
    <header className="page-head resolver-head">
      <div className="top">
        <h1 className="cut" title={item.paths.map(showPath).join('\n')}>
          {showPath(item.path)}
        </h1>
        <WhoLine ours={ours} theirs={theirs} at={source.from === 'candidate'} />
        <span className="grow" />
        <span className={`chip ${resolved || left === 0 ? 'ok' : 'wait'}`} role="status">
          <Icon name={resolved || left === 0 ? 'mine' : 'open'} />
          {resolved ? 'Resolved' : leftWords(open)}
        </span>
        {source.from === 'candidate' && !resolved && (
          <button
            type="button"
            className="btn danger"
            aria-disabled={lost !== null}
            title={lost ?? undefined}
            onClick={() =>
              lost === null && openOverlay(app, { kind: 'discard', repoId: open.repoId, candidate: source.candidate })
            }
          >
            Discard candidate
          </button>
        )}
        {source.from === 'tool' && !resolved && (
          <button
            type="button"
            className="btn danger"
            aria-disabled={lost !== null}
            title={lost ?? undefined}
            onClick={() => lost === null && openOverlay(app, { kind: 'abort-operation', repoId: open.repoId, source })}
          >
            Abort
          </button>
        )}
        <button
          type="button"
          className="btn primary"
          aria-disabled={why !== null}
          aria-describedby={why === null ? undefined : 'why-not-resolved'}
          aria-keyshortcuts={ariaKeys('Mod+Enter')}
          title={why ?? `${act} (${keyNames('Mod+Enter').join('+')})`}
          onClick={() => {
            if (why === null) void markResolved(app, id)
          }}
        >
          {act}
        </button>
      </div>
      {why !== null && (
        <span className="vh" id="why-not-resolved">
          {why}
        </span>
      )}
    </header>
  )
}
