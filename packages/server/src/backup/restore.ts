import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { copyFile, mkdir, open, readdir, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { exists, handOver } from '../embedded/files.ts'
import type { RunAs } from '../embedded/runas.ts'
import { syncDir } from '../lib/replace-file.ts'
import { ARCHIVE } from './base.ts'
import { hashFile, writeAll } from './files.ts'
import type { Base } from './folder.ts'
import { ignoreMissing, isOnLine, listUsableBases, pathsIn, readBase, readLine } from './folder.ts'
import { parsePosition, segmentAt, segmentName } from './positions.ts'
import type { RecoveryOptions, RecoveryServer } from './recovery-server.ts'
import { majorOf, startRecovery } from './recovery-server.ts'
import type { ReceivedSegment } from './segments.ts'
import { findGap, followTimelines, listSegments, readSums } from './segments.ts'
import type { Entry } from './tar.ts'
import { readTar } from './tar.ts'

/** Copy to restore, and the log behind it. */
export type Plan = {
  readonly folder: string
  readonly base: Base
  /** Log since the copy began, up to the first gap. */
  readonly segments: readonly ReceivedSegment[]
  /** Name of the first segment that is missing; undefined: none is. */
  readonly missing: string | undefined
}

/**
 * Chooses the copy: the newest one, the newest one before a moment, or the one of a name. Copies that an earlier restore
 * gave up are left out: the log does not lead on from them.
 */
export async function planRestore(
  folder: string,
  wanted: { readonly to?: Date | undefined; readonly name?: string | undefined },
): Promise<Plan> {
  const base = await chooseBase(folder, wanted)
  const { segmentBytes, startPosition, endPosition, timeline } = base.manifest
  const first = segmentAt(parsePosition(startPosition), segmentBytes)
  const all = followTimelines(await listSegments(pathsIn(folder).log, segmentBytes))
  const later = all.filter(({ number }) => number >= first)
  // The copy has its own log, the segment included in which it ends.
  const gap = findGap(later, segmentAt(parsePosition(endPosition) - 1n, segmentBytes) + 1n)
  return {
    folder,
    base,
    segments: gap === undefined ? later : later.filter(({ number }) => number < gap),
    missing: gap === undefined ? undefined : segmentName({ timeline, number: gap }, segmentBytes),
  }
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

/** Compares every file of the plan with its sum; returns a text for each fault. */
export async function findFaults({ folder, base, segments, missing }: Plan): Promise<string[]> {
  const faults: string[] = []
  for (const file of base.manifest.files) {
    const path = join(base.dir, file.name)
    const found = await hashFile(path).catch((error: Error) => ({ bytes: -1, sha256: error.message }))
    if (found.sha256 !== file.sha256) faults.push(`${path} is damaged: its sum is not that of the manifest`)
  }
  const { log, sums } = pathsIn(folder)
  const known = await readSums(sums)
  for (const { file, isPartial } of segments) {
    if (isPartial) continue
    const { sha256 } = await hashFile(join(log, file))
    if (known.get(file) !== sha256) faults.push(`${join(log, file)} is damaged: its sum is not the one noted`)
  }
  if (missing !== undefined) faults.push(`the log has a gap: ${missing} is missing; take a new backup`)
  return faults
}

/** Number of segments that are not yet complete. */
export function countPartial({ segments }: Plan): number {
  return segments.filter(({ isPartial }) => isPartial).length
}

export type RecoverOptions = Omit<RecoveryOptions, 'cluster' | 'database' | 'role'>

/** Unpacks the copy with its log below `workDir`, and starts a server on it that has replayed the log. */
export async function recover(
  plan: Plan,
  options: RecoverOptions,
): Promise<RecoveryServer & { readonly cluster: string }> {
  const { manifest } = plan.base
  const major = majorOf(manifest)
  if (options.program.major !== major) {
    throw new Error(
      `the backup is of PostgreSQL ${major}, and ${options.program.path} is PostgreSQL ${options.program.major}.\n` +
        `Name the programs of PostgreSQL ${major}: --postgres-bin /usr/lib/postgresql/${major}/bin`,
    )
  }
  const cluster = join(options.workDir, 'cluster')
  await unpack(plan.base, cluster, options)
  await copyLog(plan, join(cluster, 'pg_wal'), options.runAs)
  const { database, role } = manifest
  return { ...(await startRecovery({ ...options, cluster, database, role })), cluster }
}

type UnpackOptions = { readonly runAs: RunAs | undefined; readonly isDurable: boolean }

async function unpack(base: Base, cluster: string, { runAs, isDurable }: UnpackOptions): Promise<void> {
  const makeDir = async (dir: string) => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await handOver(dir, runAs)
  }
  await makeDir(cluster)
  let handle: FileHandle | undefined
  const archive = createReadStream(join(base.dir, ARCHIVE))
  const unzipped = archive.pipe(createGunzip())
  archive.once('error', (error) => unzipped.destroy(error))
  await readTar(unzipped as AsyncIterable<Buffer>, {
    async begin({ path, kind }: Entry) {
      const place = join(cluster, path)
      if (kind === 'directory') return makeDir(place)
      if (!(await exists(dirname(place)))) await makeDir(dirname(place))
      handle = await open(place, 'wx', 0o600)
      if (runAs !== undefined) await handle.chown(runAs.uid, runAs.gid)
    },
    async data(chunk) {
      if (handle !== undefined) await writeAll(handle, chunk)
    },
    async end() {
      if (isDurable) await handle?.sync()
      await handle?.close()
      handle = undefined
    },
  })
  if (isDurable) await syncDir(cluster)
}

/** Puts the log where the server looks for it. A segment that was received in part is filled up with zeros. */
async function copyLog(
  { folder, base, segments }: Plan,
  target: string,
  runAs: RunAs | undefined,
): Promise<void> {
  const { log } = pathsIn(folder)
  const { segmentBytes } = base.manifest
  const copy = async (from: string, name: string) => {
    const to = join(target, name)
    await copyFile(join(log, from), to)
    await handOver(to, runAs)
    return to
  }
  for (const segment of segments) {
    const name = segmentName(segment, segmentBytes)
    // A segment that was partial a moment ago may be complete by now, under its plain name.
    const path = await copy(segment.file, name).catch((error: NodeJS.ErrnoException) => {
      ignoreMissing(error)
      return copy(name, name)
    })
    if (segment.isPartial) await truncate(path, segmentBytes)
  }
  const names = await readdir(log).catch(() => [])
  for (const name of names.filter((each) => each.endsWith('.history'))) await copy(name, name)
}
