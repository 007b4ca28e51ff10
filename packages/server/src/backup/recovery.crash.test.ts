import { chmod, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { handOver } from '../embedded/files.ts'
import type { Binaries } from '../embedded/platform.ts'
import { getPlatformPackage, prepareBinaries } from '../embedded/platform.ts'
import type { RunAs } from '../embedded/runas.ts'
import { findServerUser, isRoot } from '../embedded/runas.ts'
import type { EmbeddedServer } from '../embedded/server.ts'
import { startEmbedded } from '../embedded/server.ts'
import { takeBackup } from './copy.ts'
import { listBases, pathsIn, prepareArchive } from './folder.ts'
import { archiveSettings, copyTail } from './log.ts'
import { DamagedBackupError, findBreak, planRestore, recover } from './restore.ts'

// A real server that archives its log, copies of it while it is written to, and servers that recover them.

const CONTENT = { serviceVersion: '1', migration: 1, payments: 0, auditHead: null, ledgerHeads: [] }

let home: string
let folder: string
let server: EmbeddedServer
let client: pg.Client
let runAs: RunAs | undefined
let binaries: Binaries

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'warung-recovery-'))
  await chmod(home, 0o755)
  folder = join(home, 'backups')
  runAs = isRoot() ? await findServerUser() : undefined
  server = await startEmbedded({
    dataDir: join(home, 'data'),
    settings: { shared_buffers: '32MB', fsync: 'off', ...archiveSettings(folder) },
    beforeStart: ({ systemId, runAs: user }) => prepareArchive(folder, systemId, user),
  })
  binaries = await prepareBinaries(await getPlatformPackage(), join(home, 'programs'), runAs)
  client = await connect(server.connection)
  await client.query('create table notes (id bigint primary key, text text not null)')
})
afterAll(async () => {
  await client.end()
  await server.stop()
  await rm(home, { recursive: true, force: true })
})

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const made = new pg.Client(connection)
  await made.connect()
  return made
}

/** Writes rows until it is stopped; every row is committed before the next one. */
function startWriting(first: number): { stop(): Promise<number> } {
  let isStopped = false
  const writing = (async () => {
    const writer = await connect(server.connection)
    let id = first
    for (; !isStopped; id += 1)
      await writer.query('insert into notes values ($1, repeat(md5($2), 400))', [id, id])
    await writer.end()
    return id - 1
  })()
  return {
    stop() {
      isStopped = true
      return writing
    },
  }
}

const writeSegment = () => client.query('select pg_switch_wal()')

async function untilArchived(name: string): Promise<void> {
  for (const path = join(pathsIn(folder).log, name); ; await delay(50)) {
    if ((await stat(path).catch(() => undefined)) !== undefined) return
  }
}

async function currentSegment(): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    'select pg_walfile_name(pg_current_wal_insert_lsn()) as name',
  )
  return rows[0]?.name ?? ''
}

/** Recovers the newest copy; returns its highest row, and whether the log breaks off. */
async function recovered(to?: Date): Promise<{ last: number; count: number; broken: string | undefined }> {
  const plan = await planRestore(folder, { to })
  const workDir = await mkdtemp(join(home, 'work-'))
  await handOver(workDir, runAs)
  const copy = await recover(plan, { binaries, workDir, runAs, to, isDurable: false, note: () => {} })
  try {
    const reader = await connect(copy.connection)
    const { rows } = await reader.query(
      'select max(id)::integer as last, count(*)::integer as count from notes',
    )
    const broken = await findBreak(plan, reader)
    await reader.end()
    return { ...rows[0], broken }
  } finally {
    await copy.stop()
    await rm(workDir, { recursive: true, force: true })
  }
}

async function flipByte(path: string): Promise<void> {
  const handle = await open(path, 'r+')
  const position = Math.floor((await handle.stat()).size / 2)
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position })
  await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 0x10]), 0, 1, position)
  await handle.close()
}

let moment: Date
let momentLast: number
let last: number
const settings = () => ({
  connection: server.connection,
  folder,
  content: async () => CONTENT,
  note: () => {},
})

it('a copy of a server that is written to, with the log up to the last second, has every row', async () => {
  const before = startWriting(1)
  await delay(300)
  await takeBackup(settings())
  momentLast = await before.stop()
  moment = new Date()
  await delay(50)
  const after = startWriting(momentLast + 1)
  await delay(1_000)
  const archived = await currentSegment()
  await writeSegment()
  await untilArchived(archived)
  last = await after.stop()
  await copyTail(client, pathsIn(folder), undefined)
  expect(await recovered()).toEqual({ last, count: last, broken: undefined })
})

it('a copy is restored to a moment, and to no moment that the log does not have', async () => {
  expect(await recovered(moment)).toEqual({ last: momentLast, count: momentLast, broken: expect.anything() })
  await expect(recovered(new Date(Date.now() + 60_000))).rejects.toThrow('the log has no commit after')
})

it('the tail goes on from where it was, and leaves what is archived', async () => {
  const { tail } = pathsIn(folder)
  const position = await copyTail(client, pathsIn(folder), undefined)
  const first = await currentSegment()
  await client.query(`insert into notes values ($1, 'tail')`, [last + 1])
  await writeSegment()
  await client.query(`insert into notes values ($1, 'next')`, [last + 2])
  await copyTail(client, pathsIn(folder), position)
  const second = await currentSegment()
  await untilArchived(first)
  await copyTail(client, pathsIn(folder), undefined)
  expect(await readdir(tail)).toEqual([second])
  last += 2
  expect(await recovered()).toEqual({ last, count: last, broken: undefined })
})

it('a segment of the log that is damaged or missing is found', async () => {
  const plan = await planRestore(folder, {})
  const damaged = plan.segments.at(-2)?.name ?? ''
  const path = join(pathsIn(folder).log, damaged)
  // The middle of a segment that was ended early is empty.
  const whole = await readFile(path)
  const end = whole.findLastIndex((byte) => byte !== 0)
  const handle = await open(path, 'r+')
  await handle.write(Buffer.from([(whole[end >> 1] ?? 0) ^ 0x10]), 0, 1, end >> 1)
  await handle.close()
  expect((await recovered()).broken).toContain(damaged)
  await rename(path, `${path}.away`)
  expect((await recovered()).broken).toContain(damaged)
  await rename(`${path}.away`, path)
})

it('a file of a copy that is damaged or missing is found, and named', async () => {
  const base = (await listBases(folder)).at(-1)
  const largest = [...(base?.manifest.files ?? [])].sort((a, b) => b.bytes - a.bytes)[0]?.name
  const path = join(base?.dir ?? '', 'data', `${largest}.gz`)
  await flipByte(path)
  await expect(recovered()).rejects.toThrow(`${path} is damaged`)
  await rename(path, `${path}.away`)
  await expect(recovered()).rejects.toThrow(DamagedBackupError)
})

it('a copy that is cut off in the middle leaves no backup and no slot, and the next one is whole', async () => {
  const count = (await listBases(folder)).length
  const { base } = pathsIn(folder)
  await mkdir(join(base, 'unfinished-999999999-0123'))
  const cut = takeBackup({
    ...settings(),
    note: () =>
      void client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'warungd backup'`,
      ),
  })
  await expect(cut).rejects.toThrow()
  expect((await readdir(base)).filter((name) => name.startsWith('unfinished'))).toEqual([])
  expect((await client.query('select slot_name from pg_replication_slots')).rows).toEqual([])
  await takeBackup(settings())
  expect(await listBases(folder)).toHaveLength(count + 1)
  await copyTail(client, pathsIn(folder), undefined)
  expect(await recovered()).toEqual({ last, count: last, broken: undefined })
})
