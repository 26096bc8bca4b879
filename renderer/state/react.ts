import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import { invariant } from '../../shared/base/invariant.ts'
import type { App } from './app.ts'
import { LOST } from './connection.ts'
import type { Mirror } from './mirror.ts'
import type { OverlayState } from './overlay.ts'
import type { ResolverState } from './resolver.ts'
import type { Session } from './session.ts'

export const AppContext = createContext<App | null>(null)

export function useApp(): App {
  const app = useContext(AppContext)
  invariant(app, 'a component was shown outside the app')
  return app
}

export const useMirror = <T>(select: (mirror: Mirror) => T): T => useStore(useApp().mirror, select)
/** Why nothing can be changed just now; null while the core is there. */
export const useLost = (): string | null => useMirror((m) => (m.connected ? null : LOST))
export const useSession = <T>(select: (session: Session) => T): T => useStore(useApp().session, select)
export const useOverlays = <T>(select: (overlays: OverlayState) => T): T => useStore(useApp().overlays, select)
export const useResolver = <T>(select: (resolver: ResolverState) => T): T => useStore(useApp().resolver, select)
