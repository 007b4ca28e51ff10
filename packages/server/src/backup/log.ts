import type { FileHandle } from 'node:fs/promises'
import { open, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from '../embedded/settings.ts'
import type { Schedule } from '../lib/repeat.ts'
import { repeat } from '../lib/repeat.ts'
import type { FolderPaths } from './folder.ts'
import { ignoreMissing, pathsIn } from './folder.ts'
import type { Position } from './positions.ts'
import { hex8, parsePosition, segmentName } from './positions.ts'
import type { Queryable } from './sql.ts'
import { readLogEnd } from './sql.ts'

// The server's log in a folder of backups. The server archives whole segments itself; the unfinished one is copied here.

/** Returns the settings by which the server archives its log, with the module that PostgreSQL has for it. */
export function archiveSettings(folder: string | undefined): Settings {
  if (folder === undefined) return {}
  return {
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': pathsIn(folder).log,
  }
}

// ── The unfinished segment ──

const EVERY_MS = 1_000
const REPORT_MS = 60_000

/**
 * Copies what the server wrote to its log, every second. The archiver takes a segment when it is full, and a shop can take
 * hours to fill one: without this copy the payments of that time would be lost with the disk.
 */
export function startTail(settings: {
  readonly database: Queryable
  readonly folder: string
  readonly onProblem: (text: string, error: unknown) => void
}): Schedule {
  const paths = pathsIn(settings.folder)
  let position: Position | undefined
  let reportAtMs = Number.NEGATIVE_INFINITY
  return repeat(
    EVERY_MS,
    async () => {
      position = await copyTail(settings.database, paths, position)
    },
    (error) => {
      position = undefined
      // An outage is reported once a minute, and tried more often.
      if (performance.now() < reportAtMs) return
      reportAtMs = performance.now() + REPORT_MS
      settings.onProblem('the log is not copied; tried again soon', error)
    },
  )
}

/**
 * Copies from a position on, by default from the beginning of the unfinished segment; returns the new position. The time
 * of the directory says since when everything is there.
 */
export async function copyTail(
  database: Queryable,
  { log, tail }: Pick<FolderPaths, 'log' | 'tail'>,
  from: Position | undefined,
): Promise<Position> {
  const at = new Date()
  const { flushed, timeline, directory, segmentBytes } = await readLogEnd(database)
  const end = parsePosition(flushed)
  const size = BigInt(segmentBytes)
  let position = from ?? end - (end % size)
  while (position < end) {
    const number = position / size
    const until = end < (number + 1n) * size ? end : (number + 1n) * size
    const name = segmentName({ timeline, number }, segmentBytes)
    const [offset, bytes] = [Number(position % size), Number(until - position)]
    await copyPart(join(directory, 'pg_wal', name), join(tail, name), { offset, bytes, segmentBytes })
    position = until
  }
  await removeArchived({ log, tail }, timeline)
  await utimes(tail, at, at)
  return position
}

async function copyPart(
  from: string,
  to: string,
  { offset, bytes, segmentBytes }: { offset: number; bytes: number; segmentBytes: number },
): Promise<void> {
  const source = await open(from, 'r')
  try {
    const { bytesRead, buffer } = await source.read({ buffer: Buffer.alloc(bytes), position: offset })
    if (bytesRead < bytes) throw new Error(`${from} is shorter than the server says`)
    const target = await openSegment(to, segmentBytes)
    try {
      await target.write(buffer, 0, bytes, offset)
      await target.datasync()
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Opens a file of the full size: the server replays no shorter one, and ends at the zeros. */
async function openSegment(path: string, segmentBytes: number): Promise<FileHandle> {
  const known = await open(path, 'r+').catch(ignoreMissing)
  if (known !== undefined) return known
  const handle = await open(path, 'wx', 0o600)
  await handle.truncate(segmentBytes)
  return handle
}

async function removeArchived(
  { log, tail }: Pick<FolderPaths, 'log' | 'tail'>,
  timeline: number,
): Promise<void> {
  const own = hex8(BigInt(timeline))
  for (const name of await readdir(tail)) {
    const isArchived = (await stat(join(log, name)).catch(ignoreMissing)) !== undefined
    if (isArchived || !name.startsWith(own)) await rm(join(tail, name), { force: true })
  }
}
