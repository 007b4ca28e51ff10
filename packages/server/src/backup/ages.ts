import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { findNewestFinish, ignoreMissing, pathsIn } from './folder.ts'
import { parseSegmentName, segmentPart } from './positions.ts'
import type { Archiver } from './sql.ts'

/**
 * File that the operator's own tool touches when it has made a copy of a PostgreSQL of theirs: its time is the age of the
 * newest one.
 */
const FINISHED = 'finished'

/** Reads the milliseconds since the newest copy was finished; undefined: there is none. */
export async function readBackupAge(
  root: string,
  source: 'embedded' | 'external',
  nowMs: number,
): Promise<number | undefined> {
  const finishedAt =
    source === 'embedded' ? await findNewestFinish(root) : await readTime(join(root, FINISHED))
  return finishedAt === undefined ? undefined : Math.max(0, nowMs - finishedAt)
}

/**
 * Reads the milliseconds since the archive was last known to have the whole log; undefined: it never had. Of the embedded
 * server it has the unfinished segment, too; of another one the segments that are full.
 */
export async function readLogAge(
  root: string,
  source: 'embedded' | 'external',
  archiver: Archiver,
  nowMs: number,
): Promise<number | undefined> {
  if (!archiver.isOn) return undefined
  if (source === 'external') return ageOfArchive(archiver, nowMs)
  const archivedMs = ageOfArchive(archiver, nowMs)
  const copiedAt = await readTime(pathsIn(root).tail)
  const isFailing = archiver.failedAt !== null && archiver.failedAt > (archiver.archivedAt ?? new Date(0))
  if (copiedAt === undefined || (isFailing && archivedMs === undefined)) return undefined
  return Math.max(0, nowMs - copiedAt, isFailing ? (archivedMs ?? 0) : 0)
}

/** Finds since when the archive lacks a segment. An idle server ends none, even where each has its time. */
function ageOfArchive(archiver: Archiver, nowMs: number): number | undefined {
  const { archived, archivedAt, current, segmentBytes, isTimed } = archiver
  if (archived === null || archivedAt === null) return undefined
  const last = parseSegmentName(segmentPart(archived), segmentBytes)
  const open = parseSegmentName(current, segmentBytes)
  const isFull = last !== undefined && open !== undefined && last.number + 1n >= open.number
  if (isFull && isTimed) return 0
  return Math.max(0, nowMs - archivedAt.getTime())
}

async function readTime(path: string): Promise<number | undefined> {
  return (await stat(path).catch(ignoreMissing))?.mtimeMs
}
