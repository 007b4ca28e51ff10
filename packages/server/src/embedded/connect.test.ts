import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { targetOf } from '../testing/tcp-proxy.ts'
import { waitUntilReady } from './connect.ts'

const DELAY_MS = 400

/** Way to the server on which every connection waits before its first byte passes, as on a machine whose disk is busy. */
const slow = createServer((client) => {
  const { host, port } = inject('cluster')
  setTimeout(() => {
    const server = connect(targetOf({ host, port }))
    for (const socket of [client, server]) socket.on('error', () => {})
    client.pipe(server).pipe(client)
  }, DELAY_MS)
})

beforeAll(async () => {
  slow.listen(0, '127.0.0.1')
  await once(slow, 'listening')
})
afterAll(() => slow.close())

it('a server that takes long for each connection is waited for, and gets its database', async () => {
  const { template: _, ...server } = inject('cluster')
  const { port } = slow.address() as AddressInfo
  const connection = { ...server, host: '127.0.0.1', port, database: 'not_made_yet' }
  const options = { hasEnded: () => false, note: () => {}, connectMs: DELAY_MS / 4 }
  await expect(waitUntilReady(connection, options)).resolves.toBeUndefined()
  await expect(waitUntilReady({ ...connection, password: 'wrong' }, options)).rejects.toThrow(
    'refused the password',
  )
})
