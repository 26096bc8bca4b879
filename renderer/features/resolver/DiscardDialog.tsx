import { openOverlay } from '../../state/app.ts'
import { discardCandidate } from '../../state/candidates.ts'
import { useApp, useLost, useMirror } from '../../state/react.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { showPath } from '../../ui/path.ts'

interface Props {
  readonly repoId: string
  readonly candidate: string
}

/** Discarding gives up what the agent wrote, so it is asked first. */
export function DiscardDialog({ repoId, candidate }: Props) {
  const app = useApp()
  const row = useMirror((m) => m.candidates[repoId]?.list?.find((one) => one.id === candidate))
  const lost = useLost()
  const close = () => openOverlay(app, null)
  const who = row?.ours.name ?? 'the agent'
  return (
    <Dialog
      title="Discard candidate?"
      icon="cannot"
      tone="wait"
      onClose={close}
      foot={
        <>
          <span className="grow" />
          <button type="button" className="btn" data-first onClick={close}>
            Keep deciding
          </button>
          <button
            type="button"
            className="btn danger"
            aria-disabled={lost !== null}
            title={lost ?? undefined}
            onClick={() => lost === null && void discardCandidate(app, repoId, candidate)}
          >
            Discard candidate
          </button>
        </>
      }
    >
      <p>
        {row ? `${showPath(row.path)} stays` : 'The document stays'} as it is. What {who} wrote is not published; the
        lines that are given up are kept with the candidate.
      </p>
    </Dialog>
  )
}
