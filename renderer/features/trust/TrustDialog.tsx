import { useEffect, useState } from 'react'
import type { TrustState } from '../../../shared/model/index.ts'
import { openOverlay, showError } from '../../state/app.ts'
import { useApp, useLost, useMirror } from '../../state/react.ts'
import { acceptTrust } from '../../state/verbs.ts'
import { Dialog } from '../../ui/Dialog.tsx'

const states: Readonly<Record<TrustState['state'], string>> = {
  'nothing-to-trust': 'This repository defines no command of its own.',
  trusted: 'You accepted exactly this text. Another text asks again.',
  'not-trusted': 'These run on your machine with your rights once you trust them. Read them first.',
  changed: 'You accepted another text earlier; this one is new. Read it first.',
}

const kinds: Readonly<Record<TrustState['items'][number]['kind'], string>> = {
  gate: 'Gate, runs before each approval',
  filter: 'Filter, runs when files are written',
  hook: 'Hook, runs with git acts',
  signing: 'Signing program, runs when a commit is made',
  'merge-driver': 'Merge driver, runs when git merges the commits that are still to come',
}

/** The exact text that a repository wants to run, and the person's acceptance of it. */
export function TrustDialog({ repoId, branch }: { readonly repoId: string; readonly branch: string | null }) {
  const app = useApp()
  const lost = useLost()
  const name = useMirror((m) => m.repos[repoId]?.repository.name ?? '')
  const [trust, setTrust] = useState<TrustState | null>(null)
  const close = () => openOverlay(app, null)

  useEffect(() => {
    app.client
      .call('trust.get', { repoId })
      .then(setTrust, (error) => showError(app, 'The commands were not read', error))
  }, [app, repoId])

  const revoke = async () => {
    try {
      setTrust(await app.client.call('trust.revoke', { repoId }))
    } catch (error) {
      showError(app, 'The trust was not revoked', error)
    }
  }
  const open = trust?.state === 'not-trusted' || trust?.state === 'changed'

  return (
    <Dialog
      title={open ? `Trust the commands of ${name}?` : `Commands of ${name}`}
      icon="shield"
      onClose={close}
      foot={
        <>
          <span className="grow" />
          {trust?.state === 'trusted' && (
            <button type="button" className="btn danger" onClick={() => void revoke()}>
              Revoke trust
            </button>
          )}
          <button type="button" className="btn" onClick={close}>
            {open ? 'Not now' : 'Close'}
          </button>
          {open && trust && (
            <button
              type="button"
              className="btn primary"
              aria-disabled={lost !== null}
              title={lost ?? undefined}
              onClick={() => void acceptTrust(app, repoId, trust.hash, branch)}
            >
              Trust
            </button>
          )}
        </>
      }
    >
      <p className="dim">{trust ? states[trust.state] : 'Reading the commands.'}</p>
      <dl>
        {trust?.items.map((item) => (
          <div key={`${item.kind} ${item.name} ${item.command}`}>
            <dt>
              {kinds[item.kind]}: {item.name}
            </dt>
            <dd>
              <pre className="exact">{item.command}</pre>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
