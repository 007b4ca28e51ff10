import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { RequestError } from '../lib/errors.ts'
import type { Exchange } from './exchange.ts'

export type StreamLimits = {
  /** In which nothing has moved: a reader who stands still has gone, or means harm. */
  readonly stallMs: number
  readonly totalMs: number
}

export const STREAM_LIMITS: StreamLimits = { stallMs: 60_000, totalMs: 30 * 60_000 }

export function isStream(body: object): body is AsyncIterable<Buffer> {
  return Symbol.asyncIterator in body
}

/** Tells whoever makes an answer that nobody will read it. */
export function discard(body: AsyncIterable<Buffer>): void {
  void endOf(body[Symbol.asyncIterator]())
}

/**
 * Sends a body whose head has left; each piece is made when the one before has left. One that cannot be made, and a
 * reader who stands still, ends in a reset: a connection that is merely closed is how HTTP/1.0, and every proxy that
 * speaks it, marks the end of an answer that is whole.
 */
export async function sendPieces(
  exchange: Exchange,
  body: AsyncIterable<Buffer>,
  { stallMs, totalMs }: StreamLimits,
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
  const total = setTimeout(() => cut(tooSlow(`not sent whole within ${totalMs} ms`)), totalMs)
  total.unref()
  // Node's clock of the socket starts anew whenever something leaves, be it in the pieces in which buffers empty.
  // It is the reader's clock alone: the next piece may take its time, and starts it anew.
  response.setTimeout(stallMs, () => {
    if (response.writableLength > 0) cut(tooSlow(`nothing was taken for ${stallMs} ms`))
  })
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

function tooSlow(internalText: string): RequestError {
  return new RequestError({
    status: 408,
    code: 'reader_too_slow',
    publicText: 'The answer was not taken in time.',
    internalText,
  })
}
