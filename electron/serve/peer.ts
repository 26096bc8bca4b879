import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

/** Linux's lists of the machine's connections; a client may hold an IPv6 socket and reach 127.0.0.1 with it. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const ESTABLISHED = '01'

/** Which port of 127.0.0.1 talks to which. */
export interface Ends {
  readonly client: number
  readonly server: number
}

const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0')
// Addresses are printed as words in the machine's byte order.
const LOOPBACK = /^(?:0{16}F{4}0{4}|0{16}0{4}F{4})?(?:0100007F|7F000001)$/

/**
 * The user id that holds the client's end of a connection, by the text of such a table; null where it is not there.
 * Only an open connection counts: of one that is being closed the kernel no longer knows the owner, and says 0.
 */
export function ownerIn(table: string, { client, server }: Ends): number | null {
  for (const line of table.split('\n')) {
    const [, local = '', remote = '', state, , , , uid = ''] = line.trim().split(/\s+/)
    const [from = '', fromPort] = local.split(':')
    const [to = '', toPort] = remote.split(':')
    if (fromPort !== hex(client) || toPort !== hex(server) || state !== ESTABLISHED) continue
    if (LOOPBACK.test(from) && LOOPBACK.test(to) && /^\d+$/.test(uid)) return Number(uid)
  }
  return null
}

/** The user id of who is at the other end of a loopback connection; null where the system does not tell. Linux only. */
export function ownerOf(socket: Socket): number | null {
  const { remotePort: client, localPort: server } = socket
  if (client === undefined || server === undefined) return null
  for (const table of TABLES) {
    try {
      const owner = ownerIn(readFileSync(table, 'latin1'), { client, server })
      if (owner !== null) return owner
    } catch {
      // No such list here.
    }
  }
  return null
}

/** Whether the other end is this user. Root is let in too: it can read all of this user's memory, and WSL's relay is root. */
export function isOwnUser(socket: Socket, own: number | undefined = process.getuid?.()): boolean {
  const owner = ownerOf(socket)
  return owner !== null && (owner === own || owner === 0)
}
