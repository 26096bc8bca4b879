import { useEffect, useState } from 'react'
import type { Theme } from '../../../shared/model/index.ts'
import { openOverlay, showError } from '../../state/app.ts'
import { useApp, useMirror, useSession } from '../../state/react.ts'
import { changeSettings, refreshVisible } from '../../state/start.ts'
import { Check } from '../../ui/Check.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

const THEMES: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['high-contrast', 'High contrast'],
]

const FONT_SIZES = [10, 11, 12, 13, 14, 16, 18, 20, 24] as const

/** Personal settings, and those of the repository that is shown. */
export function SettingsDialog() {
  const app = useApp()
  const settings = useMirror((m) => m.info?.settings)
  const route = useSession((s) => s.route)
  const close = () => openOverlay(app, null)
  if (!settings) return null
  return (
    <Dialog
      title="Settings"
      icon="gear"
      onClose={close}
      foot={
        <>
          <span className="small dim grow">Kept at once.</span>
          <button type="button" className="btn" onClick={close}>
            Close
          </button>
        </>
      }
    >
      <div className="settings">
        <label>
          <span>Appearance</span>
          <select
            className="field"
            value={settings.theme}
            onChange={(event) => void changeSettings(app, { theme: event.target.value as Theme })}
          >
            {THEMES.map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span>Size of code</span>
          <select
            className="field"
            value={settings.editorFontSize}
            onChange={(event) => void changeSettings(app, { editorFontSize: Number(event.target.value) })}
          >
            {FONT_SIZES.map((size) => (
              <option key={size} value={size}>
                {size} px
              </option>
            ))}
          </select>
        </label>
        <Check
          name="Open the last repository at start"
          checked={settings.reopenLast}
          onChange={(reopenLast) => void changeSettings(app, { reopenLast })}
        >
          Open the last repository at start
        </Check>
        <Check
          name="Keep the sleep branch after approval"
          checked={settings.keepBranch}
          onChange={(keepBranch) => void changeSettings(app, { keepBranch })}
        >
          Keep the sleep branch after approval
        </Check>
        {route.page !== 'landing' && <RepositorySettings repoId={route.repoId} />}
      </div>
    </Dialog>
  )
}

type Config = Record<string, { readonly value: string; readonly from: 'default' | 'trunk' | 'personal' }>

const FIELDS = [
  ['trunk', 'Trunk branch'],
  ['sleep', 'Pattern of sleep branches'],
] as const

const froms = { default: 'the default', trunk: 'from .daybreak.yml', personal: 'set by you' } as const

function RepositorySettings({ repoId }: { readonly repoId: string }) {
  const app = useApp()
  const name = useMirror((m) => m.repos[repoId]?.repository.name ?? '')
  const [config, setConfig] = useState<Config | null>(null)
  useEffect(() => {
    app.client
      .call('config.get', { repoId })
      .then(setConfig, (error) => showError(app, 'The settings were not read', error))
  }, [app, repoId])

  const save = async (key: string, value: string) => {
    try {
      await app.client.call('config.set', { repoId, key, value: value.trim() === '' ? null : value.trim() })
      setConfig(await app.client.call('config.get', { repoId }))
      refreshVisible(app, repoId)
    } catch (error) {
      showError(app, 'The setting was not kept', error)
    }
  }

  return (
    <section aria-label={`Settings of ${name}`}>
      <h3>Only for {name}</h3>
      {FIELDS.map(([key, label]) => {
        const now = config?.[key]
        return (
          <label key={`${key} ${now?.value ?? ''}`}>
            <span>
              {label} {now && <span className="small dimmer">({froms[now.from]})</span>}
            </span>
            <input
              className="field mono"
              type="text"
              aria-label={label}
              spellCheck={false}
              defaultValue={now?.value ?? ''}
              disabled={!now}
              onBlur={(event) => {
                if (now && event.target.value !== now.value) void save(key, event.target.value)
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter') event.currentTarget.blur()
              }}
            />
          </label>
        )
      })}
    </section>
  )
}
