import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { replaceFile } from '../lib/replace-file.ts'
import type { FolderIdentity, FolderPaths } from './folder.ts'
import { openFolder, pathsIn } from './folder.ts'
import type { Branch, Position } from './positions.ts'
import { formatPosition, historyName, parseHistory, parsePosition } from './positions.ts'
import type { Replication, System } from './replication.ts'
import { connectReplication, errorOf, identifySystem } from './replication.ts'
import type { SegmentWriter } from './segments.ts'
import { createSegmentWriter, listSegments } from './segments.ts'

export type ReceiverSettings = {
  readonly connection: pg.ClientConfig
  readonly folder: string
  readonly onProblem: (text: string, error: unknown) => void
}

export type Receiver = { stop(): Promise<void> }

const RETRY_MIN_MS = 1_000
/** Longest pause: payments of this time after an outage of the database are not yet in the folder. */
const RETRY_MAX_MS = 5_000
const REPORT_MS = 60_000

/** Chooses the pause before the next attempt, by the one before and by how long the connection lived. */
export function nextPauseMs(pauseMs: number, livedMs: number): number {
  return livedMs > REPORT_MS ? RETRY_MIN_MS : Math.min(2 * pauseMs, RETRY_MAX_MS)
}

/**
 * Receives the server's log into a folder of backups, as long as the process lives. The server keeps the log that the
 * folder does not have yet (a replication slot), so nothing is missing after an interruption.
 */
export function startReceiving(settings: ReceiverSettings): Receiver {
  const stopping = new AbortController()
  const { signal } = stopping
  const running = (async () => {
    let pauseMs = RETRY_MIN_MS
    let reportAtMs = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      const begunMs = performance.now()
      try {
        await receive(settings, signal)
      } catch (error) {
        // An outage is reported once a minute, and tried more often.
        if (!signal.aborted && performance.now() >= reportAtMs) {
          settings.onProblem('the log is not received; tried again soon', error)
          reportAtMs = performance.now() + REPORT_MS
        }
      }
      pauseMs = nextPauseMs(pauseMs, performance.now() - begunMs)
      await delay(pauseMs, undefined, { signal }).catch(() => {})
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

type Session = {
  readonly replication: Replication
  readonly system: System
  readonly identity: FolderIdentity
  readonly paths: FolderPaths
  readonly signal: AbortSignal
}

/** Receives until the connection is lost or the process stops. */
async function receive(settings: ReceiverSettings, signal: AbortSignal): Promise<void> {
  const replication = await connectReplication(settings.connection)
  try {
    const system = await identifySystem(replication)
    const identity = await openFolder(settings.folder, system)
    const session = { replication, system, identity, paths: pathsIn(settings.folder), signal }
    try {
      await follow(session)
    } catch (error) {
      if (!isRemoved(error)) throw error
      settings.onProblem('a part of the log is gone: take a backup now', error)
      await restart(session)
    }
  } finally {
    if (signal.aborted) replication.cut()
    else await replication.end().catch(() => {})
  }
}

/** Tells whether the server no longer has the log that was asked for, or gave up keeping it for the folder. */
function isRemoved(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '58P01' || error.code === '55000')
}

/** Goes on from where the folder's log ends, over the changes of timelines since. */
async function follow(session: Session): Promise<void> {
  const { system } = session
  const reserved = await ensureSlot(session)
  let { timeline, position } = (await findEnd(session)) ?? { timeline: system.timeline, position: reserved }
  const branches = system.timeline > 1 ? await receiveHistory(session) : []
  while (timeline !== system.timeline) {
    const known = branches.findIndex((branch) => branch.timeline === timeline)
    // The folder's timeline was given up by a restore: the server's own one begins at its last branch.
    const index = known === -1 ? branches.length - 1 : known
    const branch = branches[index]
    if (branch === undefined) {
      throw new Error(
        `the log in ${session.paths.root} is on timeline ${timeline}, which the server has never seen: ` +
          'choose another folder of backups',
      )
    }
    if (known !== -1 && position < branch.endsAt) await stream(session, timeline, position)
    timeline = branches[index + 1]?.timeline ?? system.timeline
    position = startOfSegment(branch.endsAt, system.segmentBytes)
  }
  await stream(session, timeline, position)
}

/** Begins anew with the log that the server has, which leaves a gap. */
async function restart(session: Session): Promise<void> {
  await session.replication.run(`DROP_REPLICATION_SLOT ${session.identity.slot}`)
  await stream(session, session.system.timeline, await ensureSlot(session))
}

/** Makes the slot when it is missing; returns the position from which on the server keeps the log. */
async function ensureSlot({ replication, identity, system }: Session): Promise<Position> {
  const read = async () => {
    const [found] = await replication.run(`READ_REPLICATION_SLOT ${identity.slot}`)
    return found?.[0] ?? []
  }
  const [type, known] = await read()
  if (type === null || type === undefined) {
    await replication.run(`CREATE_REPLICATION_SLOT ${identity.slot} PHYSICAL ( RESERVE_WAL )`)
  }
  const position = known ?? (await read())[1] ?? system.position
  return startOfSegment(parsePosition(position), system.segmentBytes)
}

function startOfSegment(position: Position, segmentBytes: number): Position {
  return position - (position % BigInt(segmentBytes))
}

/** Finds the end of the folder's log: behind the last complete segment, or at the beginning of one that is not. */
async function findEnd({
  paths,
  system,
}: Session): Promise<{ timeline: number; position: Position } | undefined> {
  const last = (await listSegments(paths.log, system.segmentBytes)).at(-1)
  if (last === undefined) return undefined
  const number = last.isPartial ? last.number : last.number + 1n
  return { timeline: last.timeline, position: number * BigInt(system.segmentBytes) }
}

async function receiveHistory({ replication, system, paths }: Session): Promise<Branch[]> {
  const [found] = await replication.run(`TIMELINE_HISTORY ${system.timeline}`)
  const text = found?.[0]?.[1] ?? ''
  await replaceFile(join(paths.log, historyName(system.timeline)), text, { mode: 0o600 })
  return parseHistory(text)
}

const FLUSH_MS = 1_000
const QUEUE_BYTES_MAX = 8_388_608

/** Receives one timeline from a position on, until it ends. */
async function stream(session: Session, timeline: number, start: Position): Promise<void> {
  const { replication, system, identity, paths, signal } = session
  const writer = createSegmentWriter(paths, timeline, start, system.segmentBytes)
  const progress = createProgress(session, writer)
  let waiting = 0
  let line: Promise<void> = Promise.resolve()
  let failure: Error | undefined
  const fail = (error: unknown) => {
    failure ??= errorOf(error)
    replication.cut()
  }
  const enqueue = (work: () => Promise<void>, bytes = 0) => {
    waiting += bytes
    if (waiting > QUEUE_BYTES_MAX) replication.pause()
    line = line
      .then(() => (failure === undefined ? work() : undefined))
      .catch(fail)
      .finally(() => {
        waiting -= bytes
        if (waiting <= QUEUE_BYTES_MAX) replication.resume()
      })
    return line
  }
  const timer = setInterval(() => void enqueue(() => progress.report(false)), FLUSH_MS)
  const stop = () => void enqueue(() => progress.report(true)).finally(() => replication.cut())
  signal.addEventListener('abort', stop, { once: true })
  try {
    const at = formatPosition(start)
    const command = `START_REPLICATION SLOT ${identity.slot} PHYSICAL ${at} TIMELINE ${timeline}`
    await replication.run(command, (message) => {
      const read = readMessage(message)
      progress.see(read.serverEnd)
      if (read.kind === 'data') void enqueue(() => writer.write(read.position, read.data), read.data.length)
      else if (read.isAsked) void enqueue(() => progress.report(true))
    })
    await enqueue(() => writer.flush())
    if (failure !== undefined) throw failure
  } catch (error) {
    await line
    throw failure ?? errorOf(error)
  } finally {
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
    await line
    await writer.flush().catch(() => {})
    await writer.close()
  }
}

const NOTE_MS = 5_000

/** Keeps track of what is on the disk, tells the server, and notes since when the folder is complete. */
function createProgress({ replication, paths }: Session, writer: SegmentWriter) {
  let serverEnd: Position = 0n
  let awaited: { readonly position: Position; readonly at: Date } | undefined
  let notedMs = 0

  /** Writes down the last moment at which the folder had everything that the server had. */
  async function note(at: Date, isUrgent: boolean): Promise<void> {
    if (!isUrgent && at.getTime() - notedMs < NOTE_MS) return
    notedMs = at.getTime()
    const received = {
      at: at.toISOString(),
      position: formatPosition(writer.written),
      timeline: writer.timeline,
    }
    await replaceFile(paths.received, `${JSON.stringify(received)}\n`, { mode: 0o600 })
  }

  return {
    see(position: Position): void {
      if (position > serverEnd) serverEnd = position
      awaited ??= { position: serverEnd, at: new Date() }
    },
    async report(isUrgent: boolean): Promise<void> {
      await writer.flush()
      replication.send(statusOf(writer.written))
      if (awaited === undefined || writer.written < awaited.position) return
      const { at } = awaited
      awaited = undefined
      await note(at, isUrgent)
    },
  }
}

type Message =
  | {
      readonly kind: 'data'
      readonly position: Position
      readonly serverEnd: Position
      readonly data: Buffer
    }
  | { readonly kind: 'alive'; readonly serverEnd: Position; readonly isAsked: boolean }

const DATA_HEADER = 25

function readMessage(message: Buffer): Message {
  if (message[0] === 0x77) {
    const position = message.readBigUInt64BE(1)
    const data = message.subarray(DATA_HEADER)
    return { kind: 'data', position, serverEnd: message.readBigUInt64BE(9), data }
  }
  return { kind: 'alive', serverEnd: message.readBigUInt64BE(1), isAsked: message[17] === 1 }
}

/** Builds the message that says how far the log is on the disk, and asks the server how far its own is. */
function statusOf(position: Position): Buffer {
  const status = Buffer.alloc(34)
  status[0] = 0x72
  for (const offset of [1, 9, 17]) status.writeBigUInt64BE(position, offset)
  status.writeBigInt64BE(0n, 25)
  status[33] = 1
  return status
}
