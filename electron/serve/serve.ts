import { createServer } from 'node:http'
import type { NativeHandlers } from '../../shared/contract/index.ts'
import { AppError } from '../../shared/errors/index.ts'
import type { Core } from '../core/createCore.ts'
import { createDoor } from '../host/door.ts'
import type { Log } from '../host/log.ts'
import { createAccess, type Link } from './access.ts'
import { createPages } from './pages.ts'
import { createRpc } from './rpc.ts'

export interface ServeOptions {
  readonly core: Core
  readonly log: Log
  /** The folder of the built page. */
  readonly page: string
  /** 0 or absent: one that is free. */
  readonly port?: number
  /** Told how many pages are connected, whenever that changes. */
  readonly onPages?: (pages: number) => void
}

export interface Served {
  readonly port: number
  /** A new link that opens the app once. */
  newLink(): Link
  close(): Promise<void>
}

const native: NativeHandlers = {
  'repo.pick': () => {
    throw new AppError('ERR_NOT_SUPPORTED_HERE', { method: 'repo.pick' })
  },
  'repo.reveal': () => {
    throw new AppError('ERR_NOT_SUPPORTED_HERE', { method: 'repo.reveal' })
  },
}

/** Starts the loopback host; resolves when it listens. Errors: ERR_PORT_IN_USE, ERR_PORT_FORBIDDEN (one that the system keeps for root). */
export async function serve(options: ServeOptions): Promise<Served> {
  const server = createServer()
  const port = await listen(server, options.port ?? 0)
  const access = createAccess(port)
  const rpc = createRpc(createDoor(options.core, native, options.log), access, options.onPages)
  server.on('request', createPages(options.page, access))
  server.on('upgrade', rpc.upgrade)
  return {
    port,
    newLink: access.newLink,
    close: () =>
      new Promise((resolve) => {
        rpc.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: ReturnType<typeof createServer>, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') reject(new AppError('ERR_PORT_IN_USE', { port: wanted }, { cause }))
      else if (cause.code === 'EACCES') reject(new AppError('ERR_PORT_FORBIDDEN', { port: wanted }, { cause }))
      else reject(cause)
    })
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no address'))
      else resolve(address.port)
    })
  })
}
