import type { Socket } from 'node:net'
import type { Answer, Exchange } from '../exchange.ts'
import { readerTooSlow } from '../intake/stalls.ts'
import { turnFor } from './turns.ts'

export type StreamLimits = { readonly totalMs: number }

export const STREAM_LIMITS: StreamLimits = { totalMs: 30 * 60_000 }

/** Largest body that is written at once, without a turn of its own. */
export const SMALL_BYTES_MAX = 128 * 1024
/**
 * Size of a piece; larger answers leave in pieces of this size. A few long writes cost less than many short ones. Bun, and
 * Node on Windows, do not show how much of a piece was taken: there a piece is short, so that a slow reader can be told
 * from one that stands still.
 */
export const PIECE_BYTES = showsPartsTaken() ? 2 * 1024 * 1024 : SMALL_BYTES_MAX

function showsPartsTaken(): boolean {
  return process.versions.bun === undefined && process.platform !== 'win32'
}

/** Body in pieces. `bytesTotal`: its length, if it is known. */
type Pieces = AsyncIterable<Buffer> & { readonly bytesTotal?: number }

export function isStream(body: object): body is AsyncIterable<Buffer> {
  return Symbol.asyncIterator in body
}

/** Ends the source of an answer that will not be read. */
export function discard(body: AsyncIterable<Buffer>): void {
  void endOf(body[Symbol.asyncIterator]())
}

/** Cuts a large body into pieces, which share the turns of the event loop with those of other answers. */
export function piecesOf(body: Buffer): Pieces {
  let at = 0
  // An asynchronous generator would wait three times for each piece.
  const next = (): Promise<IteratorResult<Buffer>> => {
    if (at >= body.length) return NO_PIECE
    const value = body.subarray(at, at + PIECE_BYTES)
    at += PIECE_BYTES
    return Promise.resolve({ done: false, value })
  }
  return { [Symbol.asyncIterator]: () => ({ next }), bytesTotal: body.length }
}

const NO_PIECE: Promise<IteratorResult<Buffer>> = Promise.resolve({ done: true, value: undefined })

/**
 * Sends a body whose head was already sent; each piece is made when the previous one was sent. A piece that cannot be
 * made ends in a reset: in HTTP/1.0, and in every proxy that speaks it, a plain close marks the end of a whole answer.
 * `stalls.ts` finds readers that stand still on every connection.
 */
export async function sendPieces(exchange: Exchange, body: Pieces, { totalMs }: StreamLimits): Promise<void> {
  const { response, message } = exchange
  const { socket } = message
  const pieces = body[Symbol.asyncIterator]()
  // An answer that waits behind another of its connection gets no event when the connection closes, so the socket is
  // checked as well.
  const isGone = () => response.destroyed || socket.destroyed
  if (isGone()) return endOf(pieces)
  const cut = (error: unknown) => {
    if (isGone() || response.writableFinished) return
    exchange.streamError ??= error
    socket.resetAndDestroy()
  }
  const total = setTimeout(() => cut(readerTooSlow(`not sent whole within ${totalMs} ms`)), totalMs)
  total.unref()
  const over = () => {
    response.off('close', over)
    socket.off('close', over)
    clearTimeout(total)
    void endOf(pieces)
  }
  response.once('close', over)
  socket.once('close', over)
  let sentBytes = 0
  try {
    for (;;) {
      const piece = await pieces.next()
      if (piece.done === true) break
      const turn = turnFor(piece.value.length)
      if (turn !== undefined) await turn
      if (isGone()) return
      sentBytes += piece.value.length
      if (sentBytes === body.bytesTotal) return void response.end(piece.value)
      if (!response.write(piece.value)) await emptied(response, socket)
    }
    if (!isGone()) response.end()
  } catch (error) {
    cut(error)
  }
}

async function endOf(pieces: AsyncIterator<Buffer>): Promise<void> {
  // An error while an unread source is closed has no reader, so it is ignored.
  await pieces.return?.().catch(() => {})
}

/** Resolves when the buffer is empty, or when its reader has gone. */
function emptied(response: Answer, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      socket.off('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
    socket.once('close', done)
  })
}
