import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { appendFile, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDir } from '../lib/replace-file.ts'
import { writeAll } from './files.ts'
import type { FolderPaths } from './folder.ts'
import { ignoreMissing } from './folder.ts'
import type { Position, Segment } from './positions.ts'
import { parseSegmentName, segmentName } from './positions.ts'

// Files of the received log. A segment has its plain name when it is complete on the disk and its sum is written down.

export const PARTIAL = '.partial'

export type SegmentWriter = {
  readonly timeline: number
  /** Position up to which the log was written. */
  readonly written: Position
  write(position: Position, data: Buffer): Promise<void>
  /** Makes what was written survive a power failure. */
  flush(): Promise<void>
  close(): Promise<void>
}

type OpenSegment = { readonly handle: FileHandle; readonly hash: Hash; readonly name: string }

/** Writes the log of one timeline, from the beginning of a segment on. */
export function createSegmentWriter(
  paths: Pick<FolderPaths, 'log' | 'sums'>,
  timeline: number,
  start: Position,
  segmentBytes: number,
): SegmentWriter {
  const size = BigInt(segmentBytes)
  let written = start
  let segment: OpenSegment | undefined
  let isDirty = false

  async function openSegment(): Promise<OpenSegment> {
    const name = segmentName({ timeline, number: written / size }, segmentBytes)
    // A file that was received in part before is written again: its bytes are the same, and none is lost meanwhile.
    const handle = await open(join(paths.log, name + PARTIAL), 'r+').catch(async (error) => {
      ignoreMissing(error as NodeJS.ErrnoException)
      return open(join(paths.log, name + PARTIAL), 'wx+', 0o600)
    })
    return { handle, hash: createHash('sha256'), name }
  }

  async function finish({ handle, hash, name }: OpenSegment): Promise<void> {
    await handle.datasync()
    await handle.close()
    await appendFile(paths.sums, `${hash.digest('hex')}  ${name}\n`, { mode: 0o600, flush: true })
    await rename(join(paths.log, name + PARTIAL), join(paths.log, name))
    await syncDir(paths.log)
  }

  return {
    timeline,
    get written() {
      return written
    },
    async write(position, data) {
      if (position !== written) throw new Error('the server sent the log with a gap')
      for (let rest = data; rest.length > 0; ) {
        segment ??= await openSegment()
        const offset = Number(written % size)
        const part = rest.subarray(0, segmentBytes - offset)
        segment.hash.update(part)
        await writeAll(segment.handle, part, offset)
        written += BigInt(part.length)
        rest = rest.subarray(part.length)
        isDirty = true
        if (written % size !== 0n) continue
        await finish(segment)
        segment = undefined
      }
    },
    async flush() {
      if (!isDirty) return
      await segment?.handle.datasync()
      isDirty = false
    },
    async close() {
      await segment?.handle.close()
      segment = undefined
    },
  }
}

const SUM_LINE = /([0-9a-f]{64}) {2}(\S+)$/

/**
 * Reads the sums of complete segments, by name. A line that was cut off, by a full disk or a crash, stands in front of the
 * next one without a line end.
 */
export async function readSums(path: string): Promise<ReadonlyMap<string, string>> {
  const text = (await readFile(path, 'utf8').catch(ignoreMissing)) ?? ''
  const lines = text.split('\n').map((line) => SUM_LINE.exec(line) ?? [])
  return new Map(lines.flatMap(([, sum, name]) => (sum && name ? [[name, sum] as const] : [])))
}

export type ReceivedSegment = Segment & { readonly file: string; readonly isPartial: boolean }

/** Lists the segments in a folder by timeline and number. A complete one hides a partial one. */
export async function listSegments(log: string, segmentBytes: number): Promise<ReceivedSegment[]> {
  const names = new Set((await readdir(log).catch(ignoreMissing)) ?? [])
  const found = [...names].flatMap((file) => {
    const isPartial = file.endsWith(PARTIAL)
    const name = isPartial ? file.slice(0, -PARTIAL.length) : file
    const segment = parseSegmentName(name, segmentBytes)
    return segment === undefined || (isPartial && names.has(name)) ? [] : [{ ...segment, file, isPartial }]
  })
  return found.sort((a, b) => a.timeline - b.timeline || (a.number < b.number ? -1 : 1))
}

/**
 * Leaves out segments that a later timeline has replaced. It begins in the segment in which it leaves the earlier one;
 * what the earlier one has behind it was given up by a restore.
 */
export function followTimelines(segments: readonly ReceivedSegment[]): ReceivedSegment[] {
  const kept: ReceivedSegment[] = []
  const timelines = [...new Set(segments.map(({ timeline }) => timeline))].sort((a, b) => b - a)
  let end: bigint | undefined
  for (const timeline of timelines) {
    const until = end
    const own = segments.filter(
      (each) => each.timeline === timeline && (until === undefined || each.number < until),
    )
    kept.unshift(...own)
    end = own[0]?.number ?? end
  }
  return kept
}

/** Finds the first segment that is missing between a number and the end of the log; undefined: none is. */
export function findGap(segments: readonly ReceivedSegment[], from: bigint): bigint | undefined {
  const numbers = new Set(segments.filter(({ number }) => number >= from).map(({ number }) => number))
  const last = [...numbers].reduce((highest, number) => (number > highest ? number : highest), from - 1n)
  for (let number = from; number <= last; number += 1n) {
    if (!numbers.has(number)) return number
  }
  return undefined
}
