import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Exchange } from './exchange.ts'
import { readerTooSlow } from './intake/stalls.ts'

export type StreamLimits = { readonly totalMs: number }

export const STREAM_LIMITS: StreamLimits = { totalMs: 30 * 60_000 }

/** Answers that are larger leave in pieces of this size. */
export const PIECE_BYTES = 128 * 1024

export function isStream(body: object): body is AsyncIterable<Buffer> {
  return Symbol.asyncIterator in body
}

/** Tells whoever makes an answer that nobody will read it. */
export function discard(body: AsyncIterable<Buffer>): void {
  void endOf(body[Symbol.asyncIterator]())
}

/**
 * A large body in pieces. Written in one go it would be seen to move only when the last byte has left, and a slow
 * reader could not be told from one who stands still.
 */
export async function* piecesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}

/**
 * Sends a body whose head has left; each piece is made when the one before has left. A piece that cannot be made ends
 * in a reset: a connection that is merely closed is how HTTP/1.0, and every proxy that speaks it, marks the end of an
 * answer that is whole. A reader who stands still is noticed on every connection (`stalls.ts`).
 */
export async function sendPieces(
  exchange: Exchange,
  body: AsyncIterable<Buffer>,
  { totalMs }: StreamLimits,
): Promise<void> {
  const { response, message } = exchange
  const { socket } = message
  const pieces = body[Symbol.asyncIterator]()
  // An answer that waits behind another of its connection is not told when that closes: the socket is asked as well.
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
      if (isGone()) return
      if (!response.write(piece.value)) await emptied(response, socket)
    }
    if (!isGone()) response.end()
  } catch (error) {
    cut(error)
  }
}

async function endOf(pieces: AsyncIterator<Buffer>): Promise<void> {
  // What goes wrong while a source that nobody reads is closed is nobody's answer.
  await pieces.return?.().catch(() => {})
}

/** Also when its reader has gone. */
function emptied(response: ServerResponse, socket: Socket): Promise<void> {
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
