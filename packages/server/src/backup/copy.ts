import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chown, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { LOG_DIR } from '../embedded/settings.ts'
import type { Owner } from '../lib/replace-file.ts'
import { syncDir, unwritable } from '../lib/replace-file.ts'
import type { BackupContent, Base, CopiedFile, Manifest } from './folder.ts'
import {
  baseName,
  filesOf,
  ignoreMissing,
  listBases,
  listUsableBases,
  makeInside,
  openFolder,
  ownerOfFolder,
  pathsIn,
  UNFINISHED,
  writeManifest,
} from './folder.ts'
import { parsePosition, parseSegmentName, segmentAt, segmentName, segmentPart } from './positions.ts'
import type { ServerFacts } from './sql.ts'
import { beginCopy, endCopy, readServerFacts } from './sql.ts'

// A whole copy of the running server, as PostgreSQL describes it for a backup of the file system: between
// pg_backup_start and pg_backup_stop every file is copied, whatever is written meanwhile; the log of that time, which is in
// the copy, makes it consistent.

export type BackupSettings = {
  readonly connection: pg.ClientConfig
  readonly folder: string
  /** Reads the facts about the content, before the copy begins. */
  readonly content: () => Promise<BackupContent>
  readonly note: (text: string) => void
}

/** Copies the server. The copy gets its name when it is complete on the disk: one that was cut off is never taken for whole. */
export async function takeBackup(settings: BackupSettings): Promise<Base> {
  const client = new pg.Client({ ...settings.connection, application_name: 'warungd backup' })
  // A lost connection also fails the statement; without a listener the error would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    const server = await readServerFacts(client)
    await openFolder(settings.folder, server.systemId)
    const { base } = pathsIn(settings.folder)
    await removeUnfinished(base)
    const content = await settings.content()
    const dir = join(base, `${UNFINISHED}${process.pid}-${randomBytes(4).toString('hex')}`)
    const owner = await ownerOfFolder(settings.folder)
    await makeInside(dir, owner)
    try {
      settings.note('copying the database')
      const copied = await copyServer(client, server, { dir, owner })
      const finished = await readServerFacts(client)
      const description = {
        format: 2,
        startedAt: server.now.toISOString(),
        finishedAt: finished.now.toISOString(),
        ...{ systemId: server.systemId, segmentBytes: server.segmentBytes },
        serverVersion: server.serverVersion,
        content,
        ...copied,
      } as const
      const manifest = await writeManifest(dir, description, owner)
      await syncDir(dir)
      const name = baseName(server.now)
      await rename(dir, join(base, name))
      await syncDir(base)
      return { name, dir: join(base, name), manifest }
    } catch (error) {
      await rm(dir, { recursive: true, force: true })
      throw error
    }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Removes copies whose process has ended: they are named by it. */
async function removeUnfinished(base: string): Promise<void> {
  for (const name of (await readdir(base)).filter((each) => each.startsWith(UNFINISHED))) {
    const pid = Number(name.slice(UNFINISHED.length).split('-')[0])
    if (isAlive(pid)) continue
    await rm(join(base, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

type Place = { readonly dir: string; readonly owner: Owner | undefined }

type Copied = Pick<Manifest, 'timeline' | 'startPosition' | 'endPosition' | 'directories' | 'files'>

async function copyServer(
  client: pg.Client,
  { directory, segmentBytes }: ServerFacts,
  { dir, owner }: Place,
): Promise<Copied> {
  const place = { dir: filesOf(dir), owner }
  const startPosition = await beginCopy(client, `warung_copy_${randomBytes(6).toString('hex')}`)
  const copied = await copyTree(directory, place)
  const { end: endPosition, label, tablespaces } = await endCopy(client)
  if (tablespaces !== '') {
    throw new Error('the database server has tablespaces outside of its directory, which are not copied')
  }
  const timeline = Number(/^START TIMELINE: (\d+)$/m.exec(label)?.[1])
  const files = [...copied.files, await store(Readable.from([label]), 'backup_label', place)]
  const last = segmentAt(parsePosition(endPosition) - 1n, segmentBytes)
  for (let number = segmentAt(parsePosition(startPosition), segmentBytes); number <= last; number += 1n) {
    const name = join('pg_wal', segmentName({ timeline, number }, segmentBytes))
    files.push(await store(createReadStream(join(directory, name)), name, place))
  }
  for (const each of ['', ...copied.directories]) await syncDir(join(place.dir, each))
  return { timeline, startPosition, endPosition, directories: copied.directories, files }
}

/** Directories whose files a copy must not have, or that a start makes anew. The log comes last, from its own list. */
const LEFT_EMPTY = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial', 'pg_snapshots'],
  ...['pg_stat_tmp', 'pg_subtrans', LOG_DIR],
])
const LEFT_OUT =
  /(^|\/)(postmaster\.(pid|opts)|current_logfiles(\.tmp)?|backup_label(\.old)?|tablespace_map(\.old)?|pgsql_tmp.*|pg_internal\.init.*)$/
const CONTROL = join('global', 'pg_control')

async function copyTree(
  root: string,
  place: Place,
): Promise<{ readonly directories: readonly string[]; readonly files: CopiedFile[] }> {
  const directories: string[] = []
  const names: string[] = []
  const list = async (path: string) => {
    await makeInside(join(place.dir, path), place.owner)
    if (path !== '') directories.push(path)
    if (LEFT_EMPTY.has(path)) return
    // Files and directories of dropped tables go while they are read.
    for (const entry of (await readdir(join(root, path), { withFileTypes: true }).catch(ignoreMissing)) ??
      []) {
      const name = join(path, entry.name)
      if (LEFT_OUT.test(name) || name === CONTROL) continue
      if (entry.isDirectory()) await list(name)
      else if (entry.isFile()) names.push(name)
    }
  }
  await list('')
  const files: CopiedFile[] = []
  await severalAtOnce(names, async (name) => {
    files.push(...(await copyFile(join(root, name), name, place)))
  })
  // The server's own tools copy it last, too.
  files.push(await store(Readable.from([await readWhole(join(root, CONTROL))]), CONTROL, place))
  return { directories, files }
}

const FILES_AT_ONCE = 16

/** Works on several files at once: the disk makes many durable in the time of one. */
export async function severalAtOnce<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values()
  const next = async () => {
    for (const item of rest) await work(item)
  }
  // The others end first: what is left can then be removed.
  const ended = await Promise.allSettled(Array.from({ length: FILES_AT_ONCE }, next))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}

async function copyFile(from: string, name: string, place: Place): Promise<CopiedFile[]> {
  if ((await stat(from).catch(ignoreMissing)) === undefined) return []
  try {
    return [await store(createReadStream(from, { highWaterMark: 1_048_576 }), name, place)]
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' || path !== from) throw error
    await rm(storedPath(place.dir, name), { force: true })
    return []
  }
}

/** Reads a small file that the server writes at any moment: one of two equal readings is whole. */
async function readWhole(path: string): Promise<Buffer> {
  for (let before = await readFile(path); ; ) {
    const now = await readFile(path)
    if (now.equals(before)) return now
    before = now
  }
}

export function storedPath(dir: string, name: string): string {
  return join(dir, `${name}.gz`)
}

/** Compresses a file into the copy. It is on the disk when it is stored. */
async function store(source: Readable, name: string, { dir, owner }: Place): Promise<CopiedFile> {
  const path = storedPath(dir, name)
  const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  try {
    await pipeline(source, createGzip({ level: 1 }), target)
  } catch (error) {
    if (source.errored === error) throw error
    unwritable(path, error)
  }
  if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  return { name, bytes: (await stat(path)).size }
}

// ── Retention ──

export type Removed = { readonly backups: number; readonly segments: number }

/**
 * Keeps the newest copies, and the log since the oldest of them. A copy that a restore gave up takes no place among
 * them, and goes with those that are as old.
 */
export async function keepNewest(folder: string, keep: number): Promise<Removed> {
  const [oldest] = (await listUsableBases(folder)).slice(-keep)
  const old = (await listBases(folder)).filter(({ name }) => oldest !== undefined && name < oldest.name)
  for (const { dir } of old) await rm(dir, { recursive: true, force: true })
  if (oldest === undefined) return { backups: old.length, segments: 0 }
  const { segmentBytes, startPosition } = oldest.manifest
  const first = segmentAt(parsePosition(startPosition), segmentBytes)
  const { log } = pathsIn(folder)
  let segments = 0
  for (const name of (await readdir(log).catch(ignoreMissing)) ?? []) {
    const segment = parseSegmentName(segmentPart(name), segmentBytes)
    if (segment === undefined || segment.number >= first) continue
    await rm(join(log, name), { force: true })
    segments += 1
  }
  return { backups: old.length, segments }
}
