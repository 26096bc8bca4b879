import './landing.css'
import { type FormEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { FolderListing } from '../../../shared/model/index.ts'
import { openOverlay, wireOf } from '../../state/app.ts'
import { useApp } from '../../state/react.ts'
import { openRepository } from '../../state/repositories.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'

/** Chooses a folder of the machine that Daybreak runs on, by its path or by walking. */
export function OpenFolder() {
  const app = useApp()
  const [path, setPath] = useState('')
  const [listing, setListing] = useState<FolderListing | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const list = useRef<HTMLFieldSetElement>(null)
  const close = () => openOverlay(app, null)

  const show = useCallback(
    async (to: string | null, focusList: boolean) => {
      try {
        const next = await app.client.call('repo.folders', { path: to })
        setListing(next)
        setFailure(null)
        // The folder that is listed first is only a hint in the field: what is typed meanwhile must not mix with it.
        if (!focusList) return
        setPath(next.path)
        requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('button')?.focus())
      } catch (error) {
        setFailure(wireOf(error).message)
      }
    },
    [app],
  )

  useEffect(() => void show(null, false), [show])

  const open = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = path.trim() || (listing?.path ?? '')
    if (wanted === '' || busy) return
    setBusy(true)
    // A failure replaces this dialog by its own, which offers to try again.
    const opened = await openRepository(app, wanted)
    setBusy(false)
    if (opened) close()
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      all[Math.max(0, Math.min(all.length - 1, to))]?.focus()
    } else if ((event.key === 'Backspace' || event.key === 'ArrowLeft') && listing?.parent) {
      event.preventDefault()
      void show(listing.parent, true)
    }
  }

  return (
    <Dialog
      title="Open repository"
      icon="folder"
      onClose={close}
      foot={
        <>
          <span className="small dim grow">
            {listing?.repository
              ? 'This folder is a repository.'
              : 'A folder inside a repository opens the whole of it.'}
          </span>
          <button type="button" className="btn" onClick={close}>
            Cancel
          </button>
          <button type="submit" form="open-folder" className="btn primary" aria-disabled={busy}>
            Open
          </button>
        </>
      }
    >
      <form id="open-folder" onSubmit={(event) => void open(event)}>
        <label className="path-field">
          <span className="small dim">Repository path</span>
          <input
            className="field mono"
            type="text"
            spellCheck={false}
            autoComplete="off"
            aria-label="Repository path"
            aria-describedby={failure ? 'folder-failure' : undefined}
            placeholder={listing?.path}
            value={path}
            onChange={(event) => setPath(event.target.value)}
          />
        </label>
      </form>
      {failure && (
        <p id="folder-failure" className="stop small" role="alert">
          {failure}
        </p>
      )}
      <fieldset className="folders" ref={list} aria-label="Folders">
        {listing?.parent && (
          <button
            type="button"
            className="folder inset-focus"
            onKeyDown={onKeyDown}
            onClick={() => void show(listing.parent, true)}
          >
            <Icon name="up" className="dimmer" />
            Folder above
          </button>
        )}
        {listing?.entries.map((entry, i) => (
          <button
            type="button"
            key={entry.path}
            className="folder inset-focus"
            onKeyDown={onKeyDown}
            tabIndex={i === 0 && !listing.parent ? 0 : -1}
            onClick={() => void show(entry.path, true)}
            onDoubleClick={() => void openRepository(app, entry.path).then((ok) => ok && close())}
          >
            <Icon name={entry.repository ? 'branch' : 'folder'} className="dimmer" />
            <span className="cut">{entry.name}</span>
            {entry.repository && <span className="small">repository</span>}
          </button>
        ))}
        {listing && listing.entries.length === 0 && <p className="panel-none">No folder is inside this one.</p>}
      </fieldset>
    </Dialog>
  )
}
