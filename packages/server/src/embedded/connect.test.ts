import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { ASKED_ROLE, onServer } from '../testing/cluster.ts'
import { targetOf } from '../testing/network/tcp-proxy.ts'
import { waitUntilReady } from './connect.ts'

const DELAY_MS = 400
const OPTIONS = { hasEnded: () => false, note: () => {}, connectMs: DELAY_MS / 4 }
const NAME = `warung_connect_${randomBytes(6).toString('hex')}`

/** Way to the server on which every connection waits before its first byte passes, as on a machine whose disk is busy. */
const slow = createServer((client) => {
  client.on('error', () => {})
  const { host, port } = inject('cluster')
  setTimeout(() => {
    const server = connect(targetOf({ host, port }))
    server.on('error', () => client.destroy())
    client.pipe(server).pipe(client)
  }, DELAY_MS)
})

beforeAll(async () => {
  slow.listen(0, '127.0.0.1')
  await once(slow, 'listening')
})
afterAll(async () => {
  slow.close()
  await onServer(serverOf(), (client) => client.query(`drop database if exists ${NAME}`))
})

function serverOf() {
  const { template: _, ...server } = inject('cluster')
  return server
}

function slowConnection() {
  const { port } = slow.address() as AddressInfo
  return { ...serverOf(), host: '127.0.0.1', port, database: NAME }
}

it('a server that takes long for each connection is waited for, and gets its database', async () => {
  await waitUntilReady(slowConnection(), OPTIONS)
  const { rows } = await onServer(serverOf(), (client) =>
    client.query('select datname from pg_database where datname = $1', [NAME]),
  )
  expect(rows).toHaveLength(1)
})

it('a server that refuses the password is not asked again', async () => {
  const waiting = waitUntilReady({ ...slowConnection(), user: ASKED_ROLE, password: 'wrong' }, OPTIONS)
  await expect(waiting).rejects.toThrow('refused the password')
})
