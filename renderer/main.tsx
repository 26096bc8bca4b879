import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/overlays.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { invariant } from '../shared/base/invariant.ts'
import { Frame } from './app/Frame.tsx'
import { followTheme } from './app/theme.ts'
import { createApp } from './state/app.ts'
import { AppContext } from './state/react.ts'
import { follow, start } from './state/start.ts'
import { connect, createClient } from './transport/index.ts'

followTheme('system')
const wire = connect()
const app = createApp(createClient(wire), location.hash)
wire.onStatus((status) => app.mirror.setState({ connected: status === 'back' }))
follow(app)
void start(app)

const root = document.getElementById('root')
invariant(root, 'the page has no root')
createRoot(root).render(
  <StrictMode>
    <AppContext value={app}>
      <Frame />
    </AppContext>
  </StrictMode>,
)
