import { createReadStream, createWriteStream } from 'node:fs'
import { chown, copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { handOver } from '../embedded/files.ts'
import type { Binaries } from '../embedded/platform.ts'
import type { RunAs } from '../embedded/runas.ts'
import { syncDir } from '../lib/replace-file.ts'
import { severalAtOnce, storedPath } from './copy.ts'
import type { Base } from './folder.ts'
import { filesOf, ignoreMissing, isOnLine, listUsableBases, pathsIn, readBase, readLine } from './folder.ts'
import type { Segment } from './positions.ts'
import { parsePosition, parseSegmentName, segmentAt, segmentName } from './positions.ts'
import type { RecoveryOptions, RecoveryServer } from './recovery-server.ts'
import { startRecovery } from './recovery-server.ts'
import type { Queryable } from './sql.ts'
import { readReplayedPosition } from './sql.ts'

/** Copy to restore, and the log behind it. */
export type Plan = {
  readonly folder: string
  readonly base: Base
  /** Segments since the copy began that the server archived. */
  readonly segments: readonly ArchivedSegment[]
  /** Names of those that it has not archived yet. */
  readonly unfinished: readonly string[]
}

type ArchivedSegment = Segment & { readonly name: string }

/**
 * Chooses the copy: the newest one, the newest one before a moment, or the one of a name. Copies that an earlier restore
 * gave up are left out: the log does not lead on from them.
 */
export async function planRestore(
  folder: string,
  wanted: { readonly to?: Date | undefined; readonly name?: string | undefined },
): Promise<Plan> {
  const base = await chooseBase(folder, wanted)
  const { log, tail } = pathsIn(folder)
  const segments = await listSegments(log, base)
  const archived = new Set(segments.map(({ name }) => name))
  const rest = (await listSegments(tail, base)).map(({ name }) => name)
  return { folder, base, segments, unfinished: rest.filter((name) => !archived.has(name)) }
}

/** Lists the segments in a directory since a copy began, by timeline and number. */
async function listSegments(dir: string, { manifest }: Base): Promise<ArchivedSegment[]> {
  const { segmentBytes, startPosition } = manifest
  const first = segmentAt(parsePosition(startPosition), segmentBytes)
  const names = ((await readdir(dir).catch(ignoreMissing)) ?? []).sort()
  return names.flatMap((name) => {
    const segment = parseSegmentName(name, segmentBytes)
    return segment === undefined || segment.number < first ? [] : [{ ...segment, name }]
  })
}

async function chooseBase(
  folder: string,
  { to, name }: { readonly to?: Date | undefined; readonly name?: string | undefined },
): Promise<Base> {
  if (name !== undefined) return readNamed(folder, name)
  const bases = await listUsableBases(folder)
  const [oldest] = bases
  if (oldest === undefined) throw new Error(`${folder} has no whole backup`)
  if (to === undefined) return bases.at(-1) as Base
  const chosen = bases.findLast(({ manifest }) => Date.parse(manifest.finishedAt) <= to.getTime())
  if (chosen !== undefined) return chosen
  throw new Error(
    `${folder} cannot be restored to ${to.toISOString()}: its oldest backup was finished at ` +
      oldest.manifest.finishedAt,
  )
}

async function readNamed(folder: string, name: string): Promise<Base> {
  const base = await readBase(folder, name)
  if (isOnLine(base, await readLine(folder))) return base
  throw new Error(
    `${name} was given up: the database was later restored to a moment before it, and the log goes on from there.\n` +
      'Leave --base out: the newest backup that the log leads on from is chosen.',
  )
}

/** Error of a copy with files that are missing or damaged. */
export class DamagedBackupError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`the backup cannot be restored:\n${faults.join('\n')}`)
    this.faults = faults
  }
}

export type RecoverOptions = Omit<RecoveryOptions, 'cluster' | 'postgres'> & { readonly binaries: Binaries }

/** Unpacks the copy with its log below `workDir`, and starts a server on it that has replayed the log. */
export async function recover(
  plan: Plan,
  options: RecoverOptions,
): Promise<RecoveryServer & { readonly cluster: string }> {
  const { binaries, runAs } = options
  const major = Math.floor(plan.base.manifest.serverVersion / 10_000)
  if (binaries.major !== String(major)) {
    throw new Error(
      `the backup is of PostgreSQL ${major}, and the carried server is PostgreSQL ${binaries.version}.\n` +
        `Restore it with the version of the service that made it: ${plan.base.manifest.content.serviceVersion}`,
    )
  }
  const cluster = join(options.workDir, 'cluster')
  await unpack(plan.base, cluster, options)
  await copyLog(plan, join(cluster, 'pg_wal'), runAs)
  return { ...(await startRecovery({ ...options, cluster, postgres: binaries.postgres })), cluster }
}

type UnpackOptions = { readonly runAs: RunAs | undefined; readonly isDurable: boolean }

/** Unpacks every file that the manifest names. The compressed form has a sum of each, which finds damage. */
async function unpack(
  { dir, manifest }: Base,
  cluster: string,
  { runAs, isDurable }: UnpackOptions,
): Promise<void> {
  for (const each of ['', ...manifest.directories]) {
    await mkdir(join(cluster, each), { mode: 0o700 })
    await handOver(join(cluster, each), runAs)
  }
  const faults: string[] = []
  await severalAtOnce(manifest.files, async ({ name }) => {
    const from = storedPath(filesOf(dir), name)
    const place = join(cluster, name)
    const unzipped = createGunzip()
    const target = createWriteStream(place, { flags: 'wx', mode: 0o600, flush: isDurable })
    try {
      await pipeline(createReadStream(from), unzipped, target)
    } catch (error) {
      if (unzipped.errored !== error && (error as NodeJS.ErrnoException).path !== from) throw error
      faults.push(`${from} is damaged: ${(error as Error).message}`)
      return
    }
    if (runAs !== undefined) await chown(place, runAs.uid, runAs.gid)
  })
  if (faults.length > 0) throw new DamagedBackupError(faults)
  if (isDurable) await syncDir(cluster)
}

/** Puts the log where the server looks for it, and the histories by which it follows the timelines. */
async function copyLog(
  { folder, segments, unfinished }: Plan,
  target: string,
  runAs: RunAs | undefined,
): Promise<void> {
  const { log, tail } = pathsIn(folder)
  const copy = async (from: string, name: string) => {
    await copyFile(join(from, name), join(target, name))
    await handOver(join(target, name), runAs)
  }
  const histories = ((await readdir(log).catch(ignoreMissing)) ?? []).filter((name) =>
    name.endsWith('.history'),
  )
  for (const name of [...histories, ...segments.map((segment) => segment.name)]) await copy(log, name)
  for (const name of unfinished) {
    // The archiver may have taken it a moment ago.
    await copy(log, name).catch((error: NodeJS.ErrnoException) => {
      ignoreMissing(error)
      return copy(tail, name)
    })
  }
}

/** Longest part of a record that may be missing at the end, because it goes on in a segment that is not there. */
const RECORD_BYTES_MAX = 1_048_576n

/**
 * Compares the place where the replay ended with the log; returns a text when archived segments lie behind it. The server
 * takes a segment that is missing or damaged for the end of the log, because each record has a sum.
 */
export async function findBreak({ base, segments }: Plan, server: Queryable): Promise<string | undefined> {
  const last = segments.at(-1)
  if (last === undefined) return undefined
  const { segmentBytes } = base.manifest
  const replayed = parsePosition(await readReplayedPosition(server))
  const end = (last.number + 1n) * BigInt(segmentBytes)
  if (replayed >= end - RECORD_BYTES_MAX) return undefined
  const name = segmentName({ ...last, number: segmentAt(replayed, segmentBytes) }, segmentBytes)
  return `the log breaks off in ${name}, which is damaged or missing, and goes on to ${last.name}; take a new backup`
}
