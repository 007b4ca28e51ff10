import { readerTooSlow } from '../intake/stalls.ts'
import type { Answer, Encoded, IncomingRequest } from '../operation.ts'

/** Message of an event stream (text/event-stream). */
export type StreamMessage = { readonly event: string; readonly data: object }

/** Reasons for which the service ends a stream. */
export const FAREWELLS = ['session_ended', 'stopping', 'renew'] as const
export type Farewell = (typeof FAREWELLS)[number]

/** Open event stream to one reader. */
export type EventStream = {
  /** Answer of the operation. */
  readonly output: Answer<Encoded>
  /** Queues encoded messages. A stream that has ended ignores them. */
  send(bytes: Buffer): void
  /** Ends the stream after the queued messages: the reader connects again. */
  end(last?: Buffer): void
}

export type EventStreamOptions = {
  /** Pause after which a silent stream sends a comment, so that proxies and readers know that it is alive. */
  readonly heartbeatMs?: number
  /** Limit of the bytes that wait for a reader. */
  readonly waitingBytesMax?: number
  /** Called once, when the reader has gone, the stream has ended or the reader is too slow. */
  readonly onClosed: () => void
}

const HEARTBEAT_MS = 15_000
const WAITING_BYTES_MAX = 256 * 1024
const HEARTBEAT = Buffer.from(': alive\n\n')

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Tells nginx to pass every message on at once.
  'X-Accel-Buffering': 'no',
} as const

/** Encodes a message. JSON has no line breaks, so its data is one line. */
export function encodeMessage({ event, data }: StreamMessage): Buffer {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

/**
 * Encodes a position. The reader's browser remembers it and sends it as `Last-Event-ID` when it connects again; the page
 * itself is told nothing.
 */
export function encodePosition(position: bigint): Buffer {
  return Buffer.from(`id: ${position}\n\n`)
}

/** Encodes the pause after which a reader connects again, before anything else is sent. */
export function encodeRetry(ms: number): Buffer {
  return Buffer.from(`retry: ${Math.round(ms)}\n\n`)
}

const POSITION = /^\d{1,18}$/
/** Lies after every position, so that it is found lost. */
const UNKNOWN_POSITION = 2n ** 62n

/**
 * Reads the position at which a page was cut off; undefined: it was not. A header that is none of ours counts as a
 * position that is lost: the page reads everything anew.
 */
export function readPosition({ headers }: Pick<IncomingRequest, 'headers'>): bigint | undefined {
  const header = headers['last-event-id']
  const text = Array.isArray(header) ? header[0] : header
  if (text === undefined || text === '') return undefined
  return POSITION.test(text) ? BigInt(text) : UNKNOWN_POSITION
}

/**
 * Opens a stream whose messages are made elsewhere. The edge takes a message when the one before has left. Messages for
 * a reader that does not keep up wait here; beyond the limit they are thrown away and the connection is reset, because
 * a reader that misses one message must connect again and be told what it missed.
 */
export function openEventStream(options: EventStreamOptions): EventStream {
  const { heartbeatMs = HEARTBEAT_MS, waitingBytesMax = WAITING_BYTES_MAX, onClosed } = options
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let state: 'open' | 'ending' | 'slow' | 'closed' = 'open'
  let take: (() => void) | undefined

  const heartbeat = setInterval(() => {
    if (waiting.length === 0) send(HEARTBEAT)
  }, heartbeatMs)
  heartbeat.unref()

  function close(next: 'ending' | 'slow' | 'closed'): void {
    const wasOpen = state === 'open'
    state = next
    clearInterval(heartbeat)
    take?.()
    if (wasOpen) onClosed()
  }

  function send(bytes: Buffer): void {
    if (state !== 'open') return
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes <= waitingBytesMax) take?.()
    else {
      waiting = []
      close('slow')
    }
  }

  async function next(): Promise<IteratorResult<Buffer, undefined>> {
    while (waiting.length === 0 && state === 'open') {
      await new Promise<void>((resolve) => {
        take = resolve
      })
    }
    take = undefined
    if (state === 'slow') throw readerTooSlow(`more than ${waitingBytesMax} bytes of messages waited`)
    if (state === 'closed' || waiting.length === 0) return { done: true, value: undefined }
    const bytes = Buffer.concat(waiting)
    waiting = []
    waitingBytes = 0
    return { done: false, value: bytes }
  }

  const body = iterate(next, () => {
    waiting = []
    close('closed')
  })
  return {
    output: { status: 200, headers: HEADERS, body },
    send,
    end(last) {
      if (last !== undefined) send(last)
      if (state === 'open') close('ending')
    },
  }
}

function iterate(
  next: () => Promise<IteratorResult<Buffer, undefined>>,
  onReturn: () => void,
): AsyncIterableIterator<Buffer> {
  const iterator: AsyncIterableIterator<Buffer> = {
    [Symbol.asyncIterator]: () => iterator,
    next,
    async return() {
      onReturn()
      return { done: true, value: undefined }
    },
  }
  return iterator
}
