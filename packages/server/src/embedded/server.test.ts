import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getPlatformPackage } from './platform.ts'
import { findServer } from './postmaster.ts'
import { findProcess, identifySelf, listProcesses, signal } from './process.ts'
import { writeRecord } from './record.ts'
import type { RunAs } from './runas.ts'
import { credentials, describeOwner, isRoot } from './runas.ts'
import type { EmbeddedOptions, EmbeddedServer } from './server.ts'
import { findRunningEmbedded, startEmbedded } from './server.ts'
import { makeSocketDir } from './socket.ts'
import { waitUntil } from './wait.ts'

// These tests do not depend on the disk; recovery after a crash is tested with the real settings.
const QUICK = { fsync: 'off', shared_buffers: '16MB' }

const PROGRAMS = 'postgres-programs'
const KEEP = 'create table kept as select 42 as answer'

/** Result of a start and a clean stop: made once, copied by every test that begins there. */
let made: string
let base: string
let dataDir: string
let notes: string[]
let started: EmbeddedServer[]

beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'warung-embedded-made-'))
  await chmod(made, 0o755)
  const server = await startEmbedded({ dataDir: join(made, 'data'), settings: QUICK })
  await query(server.connection, KEEP)
  await server.stop()
  // The programs are copied only where the server's user cannot reach the package.
  await mkdir(join(made, 'data', PROGRAMS), { recursive: true })
  await rename(join(made, 'data', PROGRAMS), join(made, PROGRAMS))
})

afterAll(() => rm(made, { recursive: true, force: true }))

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'warung-embedded-'))
  await chmod(base, 0o755)
  dataDir = join(base, 'data')
  notes = []
  started = []
})

afterEach(async () => {
  await Promise.all(started.map((server) => server.stop()))
  for (const { pid, command } of await listProcesses()) {
    // The signal goes only to servers of this test: their directory has a unique name.
    if (command.includes(`/postgres -D ${base}/`)) signal(pid, 'SIGKILL')
  }
  await rm(base, { recursive: true, force: true })
})

async function start(options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedServer> {
  const server = await startEmbedded({
    dataDir,
    settings: QUICK,
    note: (text) => notes.push(text),
    ...options,
  })
  started.push(server)
  return server
}

async function query<R extends pg.QueryResultRow>(connection: pg.ClientConfig, text: string): Promise<R[]> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}

/** Makes a data directory whose service stopped normally. */
async function makeStopped(dir = dataDir): Promise<void> {
  // Files keep their owner: the cluster's is not always ours.
  await promisify(execFile)('cp', ['-a', join(made, 'data'), dir])
  // The programs are many files, which are never written to.
  await symlink(join(made, PROGRAMS), join(dir, PROGRAMS))
}

async function expectKept(server: EmbeddedServer): Promise<void> {
  expect(await query(server.connection, 'select answer from kept')).toEqual([{ answer: 42 }])
}

async function messageOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('it did not fail')
}

/** Starts an idle process of the user who owns the cluster. */
async function spawnIdle(): Promise<{ pid: number; owner: RunAs | undefined; end: () => void }> {
  const owner = isRoot() ? await describeOwner(await stat(join(dataDir, 'postgres'))) : undefined
  const child = spawn('sleep', ['60'], { cwd: '/', ...credentials(owner) })
  await once(child, 'spawn')
  return { pid: child.pid ?? 0, owner, end: () => child.kill('SIGKILL') }
}

describe('a first start', () => {
  test('gives a private, password-protected server with our database', async () => {
    const server = await start()
    expect(server.adopted).toBe(false)
    const { host = '' } = server.connection
    expect((await lstat(host)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600)
    const [facts] = await query(
      server.connection,
      `select current_user::text as role, current_database()::text as database, datlocprovider as provider,
         pg_encoding_to_char(encoding)::text as encoding, datlocale as locale,
         current_setting('data_checksums') as checksums, current_setting('timezone') as zone,
         current_setting('listen_addresses') as addresses
       from pg_database where datname = current_database()`,
    )
    expect(facts).toEqual({
      role: 'warung',
      database: 'warung',
      provider: 'b',
      encoding: 'UTF8',
      locale: 'C.UTF-8',
      checksums: 'on',
      zone: 'UTC',
      addresses: '',
    })
    await expect(query({ ...server.connection, password: 'guess' }, 'select 1')).rejects.toThrow(/password/)
  })

  test('is durable by default, and given settings reach the server', async () => {
    const server = await start({ settings: { max_connections: '123' } })
    const read = async (name: string) => (await query(server.connection, `show ${name}`))[0]?.[name]
    expect(await read('fsync')).toBe('on')
    expect(await read('synchronous_commit')).toBe('on')
    expect(await read('shared_buffers')).toBe('256MB')
    expect(await read('max_wal_size')).toBe('4GB')
    expect(await read('max_connections')).toBe('123')
  })

  test('works in a directory whose path is long and full of odd characters', async () => {
    dataDir = join(base, `it's "a", long`, 'x'.repeat(120), 'ü')
    if (isRoot()) await mkdir(dataDir, { recursive: true, mode: 0o755 })
    const first = await start()
    await query(first.connection, KEEP)
    await first.stop()
    await expectKept(await start())
  })

  test('begins again where an earlier one was killed', async () => {
    const unfinished = join(dataDir, 'postgres.unfinished-0123')
    await mkdir(join(unfinished, 'cluster', 'base'), { recursive: true })
    await writeFile(join(unfinished, 'cluster', 'PG_VERSION'), '18\n')
    await mkdir(join(dataDir, 'postgres'))
    await chmod(dataDir, 0o711)
    const server = await start()
    expect((await readdir(dataDir)).filter((name) => name.startsWith('postgres.'))).toEqual([])
    expect(await query(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a later start', () => {
  test('finds what was stored, and is found by commands beside it', async () => {
    expect(await findRunningEmbedded(dataDir)).toBeUndefined()
    await makeStopped()
    expect(await findRunningEmbedded(dataDir)).toBeUndefined()
    const server = await start()
    await expectKept(server)
    expect(await findRunningEmbedded(dataDir)).toEqual(server.connection)
  })

  test('is not stopped by the pid of a dead server that another process has now', async () => {
    await makeStopped()
    const idle = await spawnIdle()
    try {
      const stale = `${idle.pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n/tmp\n\n  1234 5678\nready   \n`
      await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), stale)
      const location = { cluster: join(dataDir, 'postgres'), home: dataDir, runAs: idle.owner }
      await writeFile(join(await makeSocketDir(location), '.s.PGSQL.5432.lock'), stale)
      expect(await findRunningEmbedded(dataDir)).toBeUndefined()
      await expectKept(await start())
      expect(await findProcess(idle.pid)).toBeDefined()
    } finally {
      idle.end()
    }
  })

  test('leaves the server of another cluster alone, though a pid file names it', async () => {
    await makeStopped()
    await makeStopped(join(base, 'other'))
    const other = await start({ dataDir: join(base, 'other') })
    const running = await findServer(join(base, 'other', 'postgres'))
    const text = await readFile(join(base, 'other', 'postgres', 'postmaster.pid'), 'utf8')
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), text)
    await expectKept(await start())
    expect(await query(other.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await findServer(join(base, 'other', 'postgres'))).toEqual(running)
  })

  test('refuses to touch a server that somebody started by hand', async () => {
    await makeStopped()
    const owner = isRoot() ? await describeOwner(await stat(join(dataDir, 'postgres'))) : undefined
    // The first start left a copy of the package where the server's user cannot reach it.
    const [copy] = await readdir(join(dataDir, PROGRAMS)).catch(() => [])
    const programs = copy === undefined ? await getPlatformPackage() : join(dataDir, PROGRAMS, copy)
    const postgres = join(programs, 'native', 'bin', 'postgres')
    const cluster = join(dataDir, 'postgres')
    const args = ['-D', cluster, '-k', cluster, '-p', '54871']
    const byHand = spawn(postgres, args, { cwd: '/', stdio: 'ignore', ...credentials(owner) })
    try {
      expect(await waitUntil(async () => (await findServer(cluster)) !== undefined, 30_000)).toBe(true)
      expect(await messageOf(start())).toMatch(/did not start, process \d+, runs on/)
      // It is not taken for the server of a service that died earlier, either.
      const dead = { ...(await identifySelf()), startedAt: '1' }
      await writeRecord(dataDir, { supervisor: dead, postmaster: dead, fingerprint: 'earlier' })
      expect(await messageOf(start())).toMatch(/did not start, process \d+, runs on/)
      expect(byHand.exitCode).toBeNull()
    } finally {
      byHand.kill('SIGINT')
      if (byHand.exitCode === null) await once(byHand, 'exit')
    }
    await expectKept(await start())
  })

  test('sets a new password when the file with the old one is lost', async () => {
    await makeStopped()
    const before = await readFile(join(dataDir, 'postgres-password'), 'utf8')
    await rm(join(dataDir, 'postgres-password'))
    const server = await start()
    expect(`${server.connection.password}\n`).not.toBe(before)
    await expectKept(server)
  })

  test('follows the data directory to another place', async () => {
    await makeStopped()
    await rename(dataDir, join(base, 'moved'))
    await expectKept(await start({ dataDir: join(base, 'moved') }))
  })

  test('keeps only the newest logs', async () => {
    await makeStopped()
    const logs = join(dataDir, 'postgres', 'log')
    for (let day = 10; day < 20; day += 1)
      await writeFile(join(logs, `postgresql-201901${day}-000000.log`), 'old')
    await start()
    expect((await readdir(logs)).length).toBeLessThanOrEqual(5)
  })
})

describe('a start that cannot succeed', () => {
  test('repeats what the server said', async () => {
    await makeStopped()
    const message = await messageOf(start({ settings: { ...QUICK, shared_buffers: 'plenty' } }))
    expect(message).toContain('invalid value for parameter "shared_buffers": "plenty"')
  })

  test('names both versions when the cluster is of another major', async () => {
    await makeStopped()
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '14\n')
    expect(await messageOf(start())).toMatch(
      /made by PostgreSQL 14, but the carried server is PostgreSQL 1\d\./,
    )
  })

  test('says that a cluster is damaged, and does not put an empty one in its place', async () => {
    await makeStopped()
    const version = join(dataDir, 'postgres', 'PG_VERSION')
    await rm(version)
    expect(await messageOf(start())).toMatch(/PG_VERSION is missing[\s\S]*Restore it from a backup/)
    await writeFile(version, '18\n')
    if (isRoot()) await chmod(version, 0o644)
    await writeFile(join(dataDir, 'postgres', 'global', 'pg_control'), '')
    expect(await messageOf(start())).toMatch(/pg_control[\s\S]*Hint: The cluster is damaged/)
  })

  test('tells how to go on with a password file of another cluster', async () => {
    await makeStopped()
    await writeFile(join(dataDir, 'postgres-password'), 'another\n')
    expect(await messageOf(start())).toMatch(/refused the password[\s\S]*Delete it/)
    expect(await findRunningEmbedded(dataDir)).toBeUndefined()
    await rm(join(dataDir, 'postgres-password'))
    await expectKept(await start())
  })
})

describe('the end of the server', () => {
  test('is told, with its last words, when it was not asked for', async () => {
    await makeStopped()
    const told: string[] = []
    const server = await start({ onUnexpectedExit: (detail) => told.push(detail) })
    const running = await findServer(join(dataDir, 'postgres'))
    signal(running?.pid ?? 0, 'SIGKILL')
    expect(await waitUntil(() => told.length > 0, 30_000)).toBe(true)
    expect(told[0]).toContain('killed by SIGKILL')
    expect(told[0]).toContain('ready to accept connections')
    await server.stop()
  })

  test('is not told when it was asked for, and leaves nothing running', async () => {
    await makeStopped()
    const told: string[] = []
    const server = await start({ onUnexpectedExit: (detail) => told.push(detail) })
    const running = await findServer(join(dataDir, 'postgres'))
    await Promise.all([server.stop(), server.stop()])
    expect(await findProcess(running?.pid ?? 0)).toBeUndefined()
    await expect(lstat(server.connection.host ?? '')).rejects.toThrow(/ENOENT/)
    const log = (await readdir(join(dataDir, 'postgres', 'log'))).sort().at(-1) ?? ''
    const text = await readFile(join(dataDir, 'postgres', 'log', log), 'utf8')
    expect(text).toContain('database system is shut down')
    expect(told).toEqual([])
  })
})
