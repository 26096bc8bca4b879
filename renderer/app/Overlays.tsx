import { OpenFolder } from '../features/landing/OpenFolder.tsx'
import { AbortDialog } from '../features/resolver/AbortDialog.tsx'
import { BatchDialog } from '../features/resolver/BatchDialog.tsx'
import { DiscardDialog } from '../features/resolver/DiscardDialog.tsx'
import { SettingsDialog } from '../features/settings/SettingsDialog.tsx'
import { ApproveDialog } from '../features/sleep/ApproveDialog.tsx'
import { LocalChanges } from '../features/sleep/LocalChanges.tsx'
import { RunReport } from '../features/sleep/RunReport.tsx'
import { TrustDialog } from '../features/trust/TrustDialog.tsx'
import { useOverlays } from '../state/react.ts'
import { AboutDialog } from './AboutDialog.tsx'
import { Palette } from './Palette.tsx'
import { ProblemDialog } from './ProblemDialog.tsx'
import { ShortcutSheet } from './ShortcutSheet.tsx'
import { ToastRegion } from './ToastRegion.tsx'

/** The one thing that lies over the page, the toast, and what is said to screen readers. */
export function Overlays() {
  const said = useOverlays((o) => o.said)
  return (
    <>
      <Current />
      <ToastRegion />
      <p className="vh" role="status" aria-label="Announcements" key={said.id}>
        {said.text}
      </p>
    </>
  )
}

function Current() {
  const overlay = useOverlays((o) => o.overlay)
  switch (overlay?.kind) {
    case undefined:
      return null
    case 'palette':
      return <Palette />
    case 'shortcuts':
      return <ShortcutSheet />
    case 'settings':
      return <SettingsDialog />
    case 'about':
      return <AboutDialog />
    case 'open-folder':
      return <OpenFolder />
    case 'trust':
      return <TrustDialog repoId={overlay.repoId} branch={overlay.branch} />
    case 'approve':
      return <ApproveDialog {...overlay} />
    case 'report':
      return <RunReport repoId={overlay.repoId} branch={overlay.branch} />
    case 'local-changes':
      return <LocalChanges refusal={overlay.refusal} />
    case 'batch':
      return <BatchDialog {...overlay} />
    case 'discard':
      return <DiscardDialog repoId={overlay.repoId} candidate={overlay.candidate} />
    case 'abort-operation':
      return <AbortDialog repoId={overlay.repoId} source={overlay.source} />
    case 'problem':
      return <ProblemDialog key={overlay.problem.title + overlay.problem.code} problem={overlay.problem} />
  }
}
