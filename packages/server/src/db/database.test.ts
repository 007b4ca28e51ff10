import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { isOutOfReach, openDatabase } from './database.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('a connection lost in the middle of a transaction fails that transaction and nothing else', async () => {
  const lost = test.database.transaction(async (tx) => {
    const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    const ended = test.openAnother()
    await ended.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    // The server's message arrives while no statement is under way: it must not end the process.
    await new Promise((resolve) => setImmediate(resolve))
    await ended.query('select 1')
    return tx.query('select 1')
  })
  const error = await lost.catch((reason: unknown) => reason)
  expect(isOutOfReach(error)).toBe(true)
  expect((await test.database.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('a dedicated connection that the server ends in the moment in which it is open fails, and the process goes on', async () => {
  const message = (type: string, content: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(content.length + 4)
    return Buffer.concat([Buffer.from(type), length, content])
  }
  const isAuthenticated = message('R', Buffer.alloc(4))
  const isReady = message('Z', Buffer.from('I'))
  const isEnded = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'))
  const server = createServer((socket) => {
    socket.on('error', () => {})
    // The driver reads all of it in one turn.
    socket.once('data', () => socket.end(Buffer.concat([isAuthenticated, isReady, isEnded])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const database = openDatabase({
    connection: { host: '127.0.0.1', port, user: 'warung', database: 'warung' },
    connectionsMax: 1,
    applicationName: 'ended test',
  })
  const errors = await Promise.all([
    database.dedicatedConnection().catch((reason: unknown) => reason),
    database.query('select 1').catch((reason: unknown) => reason),
  ])
  expect(errors.map(isOutOfReach)).toEqual([true, true])
  await database.close()
  await new Promise((resolve) => server.close(resolve))
})

async function settingsOf(connectionString: string): Promise<Record<string, string>> {
  const database = openDatabase({
    connection: { connectionString },
    connectionsMax: 1,
    applicationName: 'settings test',
    statementMs: 7_000,
  })
  try {
    const { rows } = await database.query<{ name: string; setting: string }>(
      `select name, current_setting(name) as setting from pg_settings where name in
         ('statement_timeout', 'idle_in_transaction_session_timeout', 'client_min_messages', 'search_path',
          'work_mem')`,
    )
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  } finally {
    await database.close()
  }
}

it('the limits hold beside the options that an address brings, and an address may change them', async () => {
  const limits = { idle_in_transaction_session_timeout: '1min', client_min_messages: 'warning' }
  expect(await settingsOf(test.url)).toMatchObject({ ...limits, statement_timeout: '7s' })
  const url = new URL(test.url)
  url.searchParams.set('options', '-c search_path=elsewhere -c statement_timeout=3s')
  expect(await settingsOf(url.href)).toMatchObject({
    ...limits,
    search_path: 'elsewhere',
    statement_timeout: '3s',
  })
})

it('a connection that the network resets is the database out of reach, and no bug', () => {
  const lost = (code: string, syscall: string) =>
    Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
  for (const error of [
    lost('ECONNRESET', 'read'),
    lost('ETIMEDOUT', 'read'),
    lost('EPIPE', 'write'),
    lost('EHOSTUNREACH', 'connect'),
    lost('EAI_AGAIN', 'getaddrinfo'),
  ]) {
    expect(isOutOfReach(error), error.message).toBe(true)
  }
  expect(isOutOfReach(lost('ENOENT', 'open'))).toBe(false)
})

it('a name of which no address answers is the database out of reach', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ]
  const socket = connect({
    host: 'database.test',
    port,
    autoSelectFamily: true,
    lookup: (_name, _options, answer) => answer(null, addresses),
  })
  const [error] = (await once(socket, 'error', { signal: AbortSignal.timeout(60_000) }).catch(
    (reason: unknown) => [reason],
  )) as unknown[]
  expect(error).toBeInstanceOf(AggregateError)
  expect(isOutOfReach(error)).toBe(true)
  expect(isOutOfReach(new AggregateError([new TypeError('of ours')]))).toBe(false)
})

it('a server whose files cannot be read is out of reach', async () => {
  const failed = (code: string) =>
    test.database
      .query(`do $$ begin raise exception 'broken' using errcode = '${code}'; end $$`)
      .catch((e) => e)
  expect(isOutOfReach(await failed('58030'))).toBe(true)
  expect(isOutOfReach(await failed('22012'))).toBe(false)
})
