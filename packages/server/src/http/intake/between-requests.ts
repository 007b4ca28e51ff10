import type { Socket } from 'node:net'
import { SMALL_BODY_BYTES } from './body-budget.ts'

// Bytes that cost work and belong to no request. Node's parser skips any number of empty lines before a request, and
// reads the rest of a body after its request was answered, as fast as they come.

/** Limit of the bytes of empty lines between two requests. HTTP asks for one line; some callers send two. */
export const BLANK_BYTES_MAX = 16

const CR = 0x0d
const LF = 0x0a

/** Counts the bytes of empty lines with which the bytes begin. It stops counting beyond the limit. */
export function countBlank(bytes: Buffer): number {
  let at = 0
  while (at <= BLANK_BYTES_MAX && (bytes[at] === CR || bytes[at] === LF)) at += 1
  return at
}

/** Place of a connection in its requests, as far as they were read. */
export type Place =
  /** Before a request, or behind one that has arrived whole. */
  | 'between'
  /** In the body of a request that was answered, and whose length is not known. */
  | 'unwanted'
  | 'within'

export type BetweenOptions = {
  readonly placeOf: (socket: Socket) => Place
  /** Called once. The caller has to close the connection; what it sends meanwhile is not counted. */
  readonly refuse: (socket: Socket) => void
}

/**
 * Counts on a connection that Node's parser serves. Node then gives the bytes to JavaScript before its parser reads them,
 * which costs a few microseconds for each packet.
 */
export function watchBetween(socket: Socket, { placeOf, refuse }: BetweenOptions): void {
  let blank = 0
  let unwanted = 0
  let isRefused = false

  function take(bytes: Buffer): void {
    if (isRefused) return
    const place = placeOf(socket)
    const found = place === 'between' ? countBlank(bytes) : 0
    blank += found
    unwanted = place === 'unwanted' ? unwanted + bytes.length : 0
    if (blank > BLANK_BYTES_MAX || unwanted > SMALL_BODY_BYTES) {
      isRefused = true
      refuse(socket)
    } else if (found < bytes.length) blank = 0
  }

  socket.prependListener('data', take)
}
