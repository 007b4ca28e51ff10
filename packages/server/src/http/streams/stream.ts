import type { Socket } from 'node:net'
import type { Answer, Exchange } from '../exchange.ts'
import { readerTooSlow } from '../intake/stalls.ts'
import { turnFor } from './turns.ts'

export type StreamLimits = { readonly totalMs: number }

export const STREAM_LIMITS: StreamLimits = { totalMs: 30 * 60_000 }

/** Size of a piece; larger answers leave in pieces of this size. */
export const PIECE_BYTES = 128 * 1024

export function isStream(body: object): body is AsyncIterable<Buffer> {
  return Symbol.asyncIterator in body
}

/** Ends the source of an answer that will not be read. */
export function discard(body: AsyncIterable<Buffer>): void {
  void endOf(body[Symbol.asyncIterator]())
}

/**
 * Cuts a large body into pieces. If it were written in one go, progress would show only when the last byte has left,
 * and a slow reader could not be told from one that stands still.
 */
export function piecesOf(body: Buffer): AsyncIterable<Buffer> {
  let at = 0
  // An asynchronous generator would wait three times for each piece.
  const next = (): Promise<IteratorResult<Buffer>> => {
    if (at >= body.length) return NO_PIECE
    const value = body.subarray(at, at + PIECE_BYTES)
    at += PIECE_BYTES
    return Promise.resolve({ done: false, value })
  }
  return { [Symbol.asyncIterator]: () => ({ next }) }
}

const NO_PIECE: Promise<IteratorResult<Buffer>> = Promise.resolve({ done: true, value: undefined })

/**
 * Sends a body whose head was already sent; each piece is made when the previous one was sent. A piece that cannot be
 * made ends in a reset: in HTTP/1.0, and in every proxy that speaks it, a plain close marks the end of a whole answer.
 * `stalls.ts` finds readers that stand still on every connection.
 */
export async function sendPieces(
  exchange: Exchange,
  body: AsyncIterable<Buffer>,
  { totalMs }: StreamLimits,
): Promise<void> {
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
  try {
    for (;;) {
      const piece = await pieces.next()
      if (piece.done === true) break
      const turn = turnFor(piece.value.length)
      if (turn !== undefined) await turn
      if (isGone()) return
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
