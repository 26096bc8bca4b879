import { expect, test } from 'vitest'
import { ownerIn } from './peer.ts'

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
const row = (local: string, remote: string, state: string, uid: number) =>
  `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 4711 1 0000000000000000 20 4 30 10 -1`
const ends = { client: 0xa85c, server: 0x9bc3 }
const [client, server] = ['0100007F:A85C', '0100007F:9BC3']
const V6 = '0000000000000000FFFF0000'

test('the owner of a connection is who holds the client’s end of it', () => {
  const other = row(server, client, '01', 7)
  expect(ownerIn([HEAD, other, row(client, server, '01', 1000), ''].join('\n'), ends)).toBe(1000)
  expect(ownerIn([HEAD, other, row(`${V6}${client}`, `${V6}${server}`, '01', 1000)].join('\n'), ends)).toBe(1000)
  expect(ownerIn([HEAD, other].join('\n'), ends)).toBeNull()
  expect(ownerIn('', ends)).toBeNull()
})

test('a connection that is being closed has no owner, and neither has one to elsewhere', () => {
  for (const state of ['02', '04', '05', '06', '08', '0A'])
    expect(ownerIn([HEAD, row(client, server, state, 0)].join('\n'), ends)).toBeNull()
  expect(ownerIn([HEAD, row('0200000A:A85C', server, '01', 1000)].join('\n'), ends)).toBeNull()
  expect(ownerIn([HEAD, row(client, '0200000A:9BC3', '01', 1000)].join('\n'), ends)).toBeNull()
})
