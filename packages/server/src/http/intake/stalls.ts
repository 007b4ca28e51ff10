import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { RequestError } from '../../lib/errors.ts'

export type StallWatch = {
  close(): void
}

export type StallOptions = {
  readonly sockets: () => Iterable<Socket>
  readonly stallMs: number
  /** Called before the connection is reset. */
  readonly onStalled: (socket: Socket) => void
}

const CHECKS_PER_STALL = 4
const CHECK_EVERY_MS_MAX = 5_000

type Waiting = { takenBytes: number; checks: number }

/**
 * Resets connections on which an answer waits and no byte of it was taken for `stallMs`. Such a reader has gone or is
 * an attacker, and its answer would stay in memory for ever. A reader that takes some bytes now and then is left alone.
 *
 * One timer looks at all connections, so a request costs nothing. Node's own socket timer (`setTimeout`) also restarts
 * when data arrives, so a client could hold an answer for ever by sending a byte a minute. The connection is reset and
 * not just closed, because in HTTP/1.0 the end of the connection marks the end of a whole answer.
 */
export function createStallWatch({ sockets, stallMs, onStalled }: StallOptions): StallWatch {
  const waiting = new Map<Socket, Waiting>()
  const checkEveryMs = Math.max(1, Math.min(CHECK_EVERY_MS_MAX, Math.ceil(stallMs / CHECKS_PER_STALL)))
  // Checks are counted instead of time: during a pause of this process no reader had a chance to take anything.
  const checksMax = Math.ceil(stallMs / checkEveryMs)

  function resetStalled(): void {
    for (const socket of waiting.keys()) {
      if (socket.destroyed || waitingBytes(socket) === 0) waiting.delete(socket)
    }
    for (const socket of sockets()) {
      const bytes = waitingBytes(socket)
      if (bytes === 0 || socket.destroyed) continue
      // `bytesWritten` also counts the bytes that still wait. Bytes of a piece that the system has taken in part are found
      // in the queue of the handle.
      const takenBytes = socket.bytesWritten - bytes - queuedBytes(socket)
      const before = waiting.get(socket)
      if (before === undefined || before.takenBytes !== takenBytes) {
        waiting.set(socket, { takenBytes, checks: 0 })
        continue
      }
      before.checks += 1
      if (before.checks < checksMax) continue
      waiting.delete(socket)
      onStalled(socket)
      socket.resetAndDestroy()
    }
  }

  const timer = setInterval(resetStalled, checkEveryMs)
  timer.unref()
  return { close: () => clearInterval(timer) }
}

const IS_BUN = process.versions.bun !== undefined

/** Returns how many bytes wait for their reader. Node counts them at the socket, Bun at the answer that it sends. */
function waitingBytes(socket: Socket & { readonly _httpMessage?: ServerResponse | null }): number {
  return IS_BUN ? (socket._httpMessage?.writableLength ?? 0) : socket.writableLength
}

/** Returns how many bytes of the piece that is being written the system has not taken yet. Node uses the same figure. */
function queuedBytes(
  socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null },
): number {
  return socket._handle?.writeQueueSize ?? 0
}

export function readerTooSlow(internalText: string): RequestError {
  return new RequestError({
    status: 408,
    code: 'reader_too_slow',
    publicText: 'The client did not read the answer in time.',
    internalText,
  })
}
