import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import type { Owner } from '../lib/replace-file.ts'
import { syncDir } from '../lib/replace-file.ts'
import type { HashedFile } from './files.ts'
import { createHashedFile } from './files.ts'
import type { BackedUpFile, BackupContent, Base, Manifest } from './folder.ts'
import {
  baseName,
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
import { parsePosition, parseSegmentName, segmentAt } from './positions.ts'
import type { Replication, ResultSet } from './replication.ts'
import { connectReplication, errorOf, identifySystem } from './replication.ts'

export const ARCHIVE = 'base.tar.gz'
const SERVER_MANIFEST = 'backup_manifest'

export type BackupSettings = {
  readonly connection: pg.ClientConfig
  readonly folder: string
  readonly source: Manifest['source']
  /** Reads the facts about the content, before the copy begins. */
  readonly content: () => Promise<BackupContent>
  /** Reads the database's clock, version and names. */
  readonly server: () => Promise<
    Pick<Manifest, 'serverVersion' | 'database' | 'role'> & { readonly now: Date }
  >
  readonly note: (text: string) => void
}

/**
 * Copies the whole database server while it runs, with the log that makes the copy consistent. The copy gets its name
 * when it is complete on the disk: one that was cut off is never taken for a whole one.
 */
export async function takeBackup(settings: BackupSettings): Promise<Base> {
  const replication = await connectReplication(settings.connection)
  try {
    const system = await identifySystem(replication)
    await openFolder(settings.folder, system)
    const { base } = pathsIn(settings.folder)
    await removeUnfinished(base)
    const before = await settings.server()
    const content = await settings.content()
    const dir = join(base, `${UNFINISHED}${process.pid}-${randomBytes(4).toString('hex')}`)
    const owner = await ownerOfFolder(settings.folder)
    await makeInside(dir, owner)
    try {
      settings.note('copying the database')
      const copied = await copyInto(replication, dir, owner)
      const after = await settings.server()
      const description = {
        format: 1,
        startedAt: before.now.toISOString(),
        finishedAt: after.now.toISOString(),
        ...copied,
        systemId: system.systemId,
        segmentBytes: system.segmentBytes,
        serverVersion: after.serverVersion,
        source: settings.source,
        database: after.database,
        role: after.role,
        content,
      } as const
      const manifest = await writeManifest(dir, description, owner)
      await syncDir(dir)
      const name = baseName(before.now)
      await rename(dir, join(base, name))
      await syncDir(base)
      return { name, dir: join(base, name), manifest }
    } catch (error) {
      await rm(dir, { recursive: true, force: true })
      throw error
    }
  } finally {
    await replication.end().catch(() => {})
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

type Copied = {
  readonly timeline: number
  readonly startPosition: string
  readonly endPosition: string
  readonly files: readonly BackedUpFile[]
}

const COMMAND =
  "BASE_BACKUP ( LABEL 'warung', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256' )"

async function copyInto(replication: Replication, dir: string, owner: Owner | undefined): Promise<Copied> {
  const archive = await openArchive(join(dir, ARCHIVE), owner)
  const manifest = await createHashedFile(join(dir, SERVER_MANIFEST), SERVER_MANIFEST, owner)
  const sink = createSink(replication, archive, manifest)
  try {
    const sets = await replication.run(COMMAND, sink.take)
    await sink.drained()
    refuseTablespaces(sets)
    const [start] = sets[0] ?? []
    const [end] = sets.at(-1) ?? []
    const startPosition = start?.[0]
    const endPosition = end?.[0]
    if (!startPosition || !endPosition || sets.length < 3)
      throw new Error('the server sent no end of the copy')
    const files = [await archive.close(), await manifest.close()]
    return { timeline: Number(end?.[1] ?? start?.[1]), startPosition, endPosition, files }
  } catch (error) {
    await archive.abandon()
    await manifest.abandon()
    // The connection was cut because of a failed write: that is the cause.
    await sink.drained()
    throw error
  }
}

function refuseTablespaces(sets: readonly ResultSet[]): void {
  const further = (sets[1] ?? []).filter(([oid]) => oid !== null)
  if (further.length === 0) return
  throw new Error('the database server has tablespaces outside of its directory, which are not copied')
}

/** Compresses on the way to a hashed file. */
async function openArchive(path: string, owner: Owner | undefined): Promise<HashedFile> {
  const file = await createHashedFile(path, ARCHIVE, owner)
  const gzip = createGzip({ level: 1 })
  const written = (async () => {
    for await (const chunk of gzip) await file.write(chunk as Buffer)
  })()
  // The error is seen where the file is written to or closed.
  written.catch(() => {})
  return {
    async write(chunk) {
      if (gzip.destroyed) await written
      if (!gzip.write(chunk)) await Promise.race([once(gzip, 'drain'), written])
    },
    async close() {
      gzip.end()
      await written
      return file.close()
    },
    async abandon() {
      gzip.destroy()
      await written.catch(() => {})
      await file.abandon()
    },
  }
}

const QUEUE_BYTES_MAX = 4_194_304

/** Takes the data of the copy in its order, and holds the server back while the disk is slower. */
function createSink(replication: Replication, archive: HashedFile, manifest: HashedFile) {
  let target: HashedFile | undefined
  let waiting = 0
  let line: Promise<void> = Promise.resolve()
  let failure: Error | undefined
  function enqueue(to: HashedFile, data: Buffer): void {
    waiting += data.length
    if (waiting > QUEUE_BYTES_MAX) replication.pause()
    line = line
      .then(() => (failure === undefined ? to.write(data) : undefined))
      .catch((error: unknown) => {
        failure ??= errorOf(error)
        replication.cut()
      })
      .finally(() => {
        waiting -= data.length
        if (waiting <= QUEUE_BYTES_MAX) replication.resume()
      })
  }
  return {
    take(message: Buffer): void {
      switch (String.fromCharCode(message[0] ?? 0)) {
        case 'n':
          target = archive
          return
        case 'm':
          target = manifest
          return
        case 'd':
          if (target !== undefined) enqueue(target, message.subarray(1))
          return
        default:
      }
    },
    async drained(): Promise<void> {
      await line
      if (failure !== undefined) throw failure
    },
  }
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
    const segment = parseSegmentName(name.replace(/\.partial$/, ''), segmentBytes)
    if (segment === undefined || segment.number >= first) continue
    await rm(join(log, name), { force: true })
    segments += 1
  }
  return { backups: old.length, segments }
}
