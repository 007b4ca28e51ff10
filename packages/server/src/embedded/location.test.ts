import { spawn } from 'node:child_process'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settle } from './location.ts'
import { getPlatformPackage } from './platform.ts'
import { listProcesses, signal } from './process.ts'
import { canPass, findServerUser, isRoot, parsePasswd } from './runas.ts'
import type { EmbeddedServer } from './server.ts'
import { startWith } from './server.ts'

const QUICK = { fsync: 'off', shared_buffers: '16MB' }

let base: string
let started: EmbeddedServer[]

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'warung-location-'))
  await chmod(base, 0o755)
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

async function start(dataDir: string, packageDir?: string): Promise<EmbeddedServer> {
  const surroundings = {
    packageDir: packageDir ?? (await getPlatformPackage()),
    systemDir: join(base, 'system'),
  }
  const server = await startWith({ dataDir, settings: QUICK }, surroundings)
  started.push(server)
  return server
}

async function query<R extends pg.QueryResultRow>(server: EmbeddedServer, text: string): Promise<R[]> {
  const client = new pg.Client(server.connection)
  await client.connect()
  try {
    return (await client.query<R>(text)).rows
  } finally {
    await client.end()
  }
}

/** Makes a directory like root's home: closed to every other user. */
async function makeClosed(name: string): Promise<string> {
  const dir = join(base, name)
  await mkdir(dir, { mode: 0o700 })
  return dir
}

async function uidOf(pid: number): Promise<number> {
  return (await stat(`/proc/${pid}`)).uid
}

describe.runIf(isRoot())('as root', () => {
  test('the server runs as a lesser user, whose cluster lies in the data directory when it is reachable', async () => {
    const dataDir = join(base, 'open')
    const server = await start(dataDir)
    const user = await findServerUser()
    const [row] = await query<{ pid: number }>(server, 'select pg_backend_pid() as pid')
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(user.uid)
    expect(await readdir(base)).not.toContain('system')
    const [{ parent } = { parent: 0 }] = await query<{ parent: number }>(
      server,
      `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as parent`,
    )
    expect(await uidOf(parent)).toBe(user.uid)
    expect(row?.pid).toBeGreaterThan(0)
  })

  test('an empty data directory that root prepared for itself is used, not passed over', async () => {
    const dataDir = await makeClosed('prepared')
    await start(dataDir)
    expect(await readdir(dataDir)).toContain('postgres')
    expect((await stat(dataDir)).mode & 0o066).toBe(0)
  })

  test('a closed data directory of another user gets a cluster of that user, who starts the service next time', async () => {
    const dataDir = await makeClosed('of-a-user')
    const [user] = parsePasswd(await readFile('/etc/passwd', 'utf8')).filter(({ uid }) => uid !== 0)
    await chown(dataDir, user?.uid ?? 0, user?.gid ?? 0)
    expect(await settle(dataDir, join(base, 'system'))).toMatchObject({ home: dataDir, runAs: user })
    // A user without a name cannot run initdb.
    await chown(dataDir, 4_000_000, 4_000_000)
    expect(await settle(dataDir, join(base, 'system'))).toMatchObject({ runAs: await findServerUser() })
  })

  test('cluster and programs are kept where the server user can reach them, under a closed parent', async () => {
    const closed = await makeClosed('closed')
    const installed = await getPlatformPackage()
    const packageDir = join(closed, basename(installed))
    await cp(installed, packageDir, { recursive: true, verbatimSymlinks: true })
    const dataDir = join(closed, '.warung')
    const first = await start(dataDir, packageDir)
    await query(first, 'create table kept as select 42 as answer')
    await first.stop()
    expect((await stat(closed)).mode & 0o777).toBe(0o700)
    const { home } = JSON.parse(await readFile(join(dataDir, 'postgres-location.json'), 'utf8'))
    expect(await canPass(home, await findServerUser())).toBe(true)
    expect((await stat(join(home, 'postgres'))).mode & 0o777).toBe(0o700)
    expect((await stat(home)).uid).toBe(0)
    expect((await readdir(join(base, 'system'))).sort()).toEqual([basename(home), 'postgres-programs'].sort())
    const second = await start(dataDir, packageDir)
    expect(await query(second, 'select answer from kept')).toEqual([{ answer: 42 }])
  })

  test('a moved data directory keeps its database, a copied one does not share it', async () => {
    const closed = await makeClosed('closed')
    const dataDir = join(closed, 'data')
    const first = await start(dataDir)
    await query(first, 'create table kept as select 42 as answer')
    await first.stop()
    await rename(dataDir, join(closed, 'moved'))
    const moved = await start(join(closed, 'moved'))
    expect(await query(moved, 'select answer from kept')).toEqual([{ answer: 42 }])
    await moved.stop()
    await cp(join(closed, 'moved'), join(closed, 'copied'), { recursive: true })
    await expect(start(join(closed, 'copied'))).rejects.toThrow(/is a copy of .*two services cannot share it/)
  })

  test('a lost database is reported, not replaced by an empty one', async () => {
    const closed = await makeClosed('closed')
    const dataDir = join(closed, 'data')
    await (await start(dataDir)).stop()
    const pointer = join(dataDir, 'postgres-location.json')
    const { home } = JSON.parse(await readFile(pointer, 'utf8'))
    await rm(home, { recursive: true })
    await expect(start(dataDir)).rejects.toThrow(/is not there any more/)
    // Deleting the pointer begins anew on purpose.
    await rm(pointer)
    await (await start(dataDir)).stop()
  })

  test('a start that was killed before the cluster was complete begins again at the same place', async () => {
    const closed = await makeClosed('closed')
    const before = await settle(closed, join(base, 'system')).catch(() => undefined)
    expect(before).toBeDefined()
    const server = await start(closed)
    expect((await stat(before?.cluster ?? '')).mode & 0o777).toBe(0o700)
    await server.stop()
  })

  test('a cluster that its user can no longer reach is not abandoned for an empty one', async () => {
    const parent = join(base, 'parent')
    await mkdir(parent)
    const dataDir = join(parent, 'data')
    await (await start(dataDir)).stop()
    await chmod(parent, 0o700)
    await expect(start(dataDir)).rejects.toThrow(/can no longer reach it/)
    await chmod(parent, 0o755)
    await (await start(dataDir)).stop()
  })

  test('a cluster that was given to root says whom to give it to', async () => {
    const dataDir = join(base, 'data')
    await (await start(dataDir)).stop()
    await new Promise((resolve) => {
      spawn('chown', ['-R', '0:0', join(dataDir, 'postgres')]).on('exit', resolve)
    })
    await expect(start(dataDir)).rejects.toThrow(/chown -R \w+ /)
  })

  test('a place for clusters that others could write to is refused', async () => {
    const closed = await makeClosed('closed')
    await mkdir(join(base, 'system'))
    await chmod(join(base, 'system'), 0o777)
    await writeFile(join(closed, 'something'), '')
    await expect(start(closed)).rejects.toThrow(/only root can write to/)
  })
})
