/** What is known when a host is chosen. */
export interface HostFacts {
  /** `--host`, else `DAYBREAK_HOST`; undefined where nobody said. */
  readonly asked: string | undefined
  readonly platform: NodeJS.Platform
  readonly env: NodeJS.ProcessEnv
  readonly root: boolean
}

export type HostChoice =
  /** Electron, and where its binary cannot be had: `serve`, unless it was asked for. */
  { readonly host: 'electron'; readonly asked: boolean } | { readonly host: 'serve'; readonly why: string | null }

/** Whether windows can be shown: on Linux only with DISPLAY or WAYLAND_DISPLAY. */
export function hasDisplay(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): boolean {
  return platform !== 'linux' || Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY)
}

/** Chooses the host; null where `asked` names none. `why`: what to tell the person, null where they asked for it. */
export function pickHost({ asked, platform, env, root }: HostFacts): HostChoice | null {
  if (asked === 'serve') return { host: 'serve', why: null }
  if (asked === 'electron') return { host: 'electron', asked: true }
  if (asked) return null
  if (!hasDisplay(platform, env)) return { host: 'serve', why: 'There is no display, so Daybreak opens in a browser.' }
  if (platform === 'linux' && root)
    return { host: 'serve', why: 'The desktop app has no sandbox as root, so Daybreak opens in a browser.' }
  return { host: 'electron', asked: false }
}
