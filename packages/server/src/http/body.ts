import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { RequestError, unavailable } from '../lib/errors.ts'
import type { Exchange } from './exchange.ts'
import type { BodyBudget, Holding } from './intake/body-budget.ts'
import { createBodyBudget, SMALL_BODY_BYTES, sizeText, UNCOUNTED_BYTES } from './intake/body-budget.ts'
import type { JsonShape } from './intake/json-shape.ts'
import { excessOf, JSON_DEPTH_MAX, JSON_VALUES_MAX } from './intake/json-shape.ts'

/** Largest body of a signed request by the contract. No operation may allow more. */
export const BODY_BYTES_MAX = 10 * 1024 * 1024

const EMPTY = Buffer.alloc(0)

/** Limits of one operation's bodies. */
export type BodyTerms = {
  readonly bytesMax: number
  /** Called before more than SMALL_BODY_BYTES are read; throws for unknown callers. */
  readonly recognize: (exchange: Exchange) => void | Promise<void>
}

export type BodyReader = {
  /**
   * Calls `whenRead` once. The returned function gives up the wait, and calls `whenRead` if the body has not arrived;
   * it is undefined when `whenRead` was already called. This is no promise because every request takes this path.
   */
  read(exchange: Exchange, terms: BodyTerms, whenRead: WhenRead): (() => void) | undefined
}
export type WhenRead = (read: BodyLease | Error) => void

/** Exact bytes received; `release` returns their memory to the budget once the request is answered. */
export type BodyLease = { bytes: Buffer; release(): void }

const NOTHING: BodyLease = { bytes: EMPTY, release() {} }

/** Node's error code for a request that did not arrive within the server's own timeout. */
export const REQUEST_TIMEOUT_CODE = 'ERR_HTTP_REQUEST_TIMEOUT'

export function createBodyReader(budget: BodyBudget = createBodyBudget()): BodyReader {
  return {
    read(exchange, terms, whenRead) {
      const { message } = exchange
      if (message.whole !== undefined) {
        whenRead(leaseWhole(message.whole, terms))
        return undefined
      }
      const declared = message.headers['content-length']
      const chunked = message.headers['transfer-encoding'] !== undefined
      if (!chunked && (declared === undefined || declared === '0')) {
        whenRead(NOTHING)
        return undefined
      }
      if (Number(declared) > terms.bytesMax) {
        // The body is read and thrown away: most clients are still writing and would lose the answer if the connection
        // closed now.
        message.resume()
        whenRead(bodyTooLarge(terms.bytesMax))
        return undefined
      }
      const isLarge = Number(declared) > SMALL_BODY_BYTES
      const body = gather(exchange.address, budget, terms)
      return collect(exchange, message, { terms, isLarge, body }, whenRead)
    },
  }
}

/** Leases a body that is here already. It is so small that it is not counted: `readWhole` leaves larger ones to Node. */
function leaseWhole(bytes: Buffer, { bytesMax }: BodyTerms): BodyLease | Error {
  if (bytes.length > bytesMax) return bodyTooLarge(bytesMax)
  return bytes.length === 0 ? NOTHING : { bytes, release: NOTHING.release }
}

type Collecting = {
  readonly terms: BodyTerms
  /** True when Content-Length announces a large body; a chunked body shows its size only as it arrives. */
  readonly isLarge: boolean
  readonly body: Gathering
}

function collect(
  exchange: Exchange,
  message: IncomingMessage,
  { terms, isLarge, body }: Collecting,
  whenRead: WhenRead,
): () => void {
  let isOver = false
  let isRecognized = false
  // Errors are created only when needed: every body ends with a `close`, and each error captures a stack.
  const fail = (makeError: () => Error) => {
    if (isOver) return
    isOver = true
    body.release()
    // Unread bytes are thrown away.
    message.removeListener('data', take).resume()
    whenRead(makeError())
  }
  let pieces = 0
  const add = (chunk: Buffer) => {
    pieces += 1
    const isCutSmall = pieces > PIECES_MAX + body.size() / PIECE_BYTES_MIN
    const refusal = isCutSmall ? bodyInPieces() : body.add(chunk)
    if (refusal !== undefined) fail(() => refusal)
    // Nothing more is read: each further piece would cost as much as those before.
    if (isCutSmall) message.pause()
  }
  const take = (chunk: Buffer) => {
    if (isRecognized || body.size() + chunk.length <= SMALL_BODY_BYTES) {
      add(chunk)
      return
    }
    message.pause()
    recognize(() => {
      add(chunk)
      message.resume()
    })
  }
  const recognize = (goOn: () => void) => {
    whenKnown(exchange, terms, (error) => {
      if (error !== undefined) fail(() => error)
      else if (!isOver) {
        isRecognized = true
        goOn()
      }
    })
  }
  // Data flows only once there is a listener for it: the caller is recognized first, and the body waits.
  if (isLarge) recognize(() => message.on('data', take))
  else message.on('data', take)
  message.on('end', () => {
    if (isOver) return
    isOver = true
    whenRead({ bytes: body.bytes(), release: body.release })
  })
  message.on('close', () => fail(aborted))
  // This listener stays to the end: an `error` event without a listener would end the process.
  message.on('error', (error: NodeJS.ErrnoException) =>
    fail(error.code === REQUEST_TIMEOUT_CODE ? bodyLate : aborted),
  )
  return () => fail(bodyLate)
}

/** Calls back without an error when the caller is known, and does so synchronously where no waiting is needed. */
function whenKnown(
  exchange: Exchange,
  { recognize, bytesMax }: BodyTerms,
  done: (error: Error | undefined) => void,
): void {
  // An operation that takes no large bodies refuses this one from every caller.
  if (bytesMax <= SMALL_BODY_BYTES) {
    done(bodyTooLarge(bytesMax))
    return
  }
  const refuse = (error: unknown) => done(error instanceof Error ? error : new Error(String(error)))
  try {
    const recognized = recognize(exchange)
    if (recognized instanceof Promise) recognized.then(() => done(undefined), refuse)
    else done(undefined)
  } catch (error) {
    refuse(error)
  }
}

/**
 * Limit of the pieces of a body: so many that a small one may come byte by byte, and one more for each PIECE_BYTES_MIN.
 * A chunk of one byte costs Node's parser as much as one of 64 kB, so a body of 64 kB in such chunks would hold everybody
 * up for a tenth of a second.
 */
const PIECES_MAX = UNCOUNTED_BYTES
const PIECE_BYTES_MIN = 512

const GROWTH_BYTES_MIN = 16 * 1024

type Gathering = {
  size(): number
  add(chunk: Buffer): RequestError | undefined
  bytes(): Buffer
  release(): void
}

/**
 * Collects bytes that arrive in pieces into one buffer that doubles. A list of the pieces would cost far more memory
 * than their bytes when a sender cuts a body into millions of pieces, and the budget would not notice.
 */
function gather(address: string, budget: BodyBudget, { bytesMax }: BodyTerms): Gathering {
  const holding: Holding = { address, bytes: 0 }
  let held: Buffer = EMPTY
  let size = 0

  function growTo(capacity: number): RequestError | undefined {
    const noRoom = budget.grow(holding, capacity)
    if (noRoom !== undefined) return unavailable('saturated', noRoom)
    const larger = Buffer.allocUnsafeSlow(capacity)
    held.copy(larger, 0, 0, size)
    held = larger
    return undefined
  }

  function keep(chunk: Buffer): RequestError | undefined {
    const noRoom = budget.grow(holding, chunk.length)
    if (noRoom !== undefined) return unavailable('saturated', noRoom)
    held = chunk
    size = chunk.length
    return undefined
  }

  return {
    size: () => size,
    add(chunk) {
      const needed = size + chunk.length
      if (needed > bytesMax) return bodyTooLarge(bytesMax)
      // Most bodies come in one piece, which is kept without a copy. The copy is made when a second piece arrives.
      if (size === 0) return keep(chunk)
      if (needed > held.length) {
        const refusal = growTo(Math.max(needed, capacityFor(needed, held.length, bytesMax)))
        if (refusal !== undefined) return refusal
      }
      chunk.copy(held, size)
      size = needed
      return undefined
    },
    bytes: () => held.subarray(0, size),
    release() {
      budget.release(holding)
      held = EMPTY
      size = 0
    },
  }
}

/**
 * Returns the next buffer size. Spare room in the buffer must not make a body count at all, or count as a large one.
 */
function capacityFor(needed: number, heldBytes: number, bytesMax: number): number {
  if (needed <= UNCOUNTED_BYTES) return Math.min(UNCOUNTED_BYTES, bytesMax)
  const capacityMax = needed <= SMALL_BODY_BYTES ? SMALL_BODY_BYTES : bytesMax
  return Math.min(capacityMax, Math.max(2 * heldBytes, GROWTH_BYTES_MIN))
}

function bodyTooLarge(bytesMax: number): RequestError {
  return new RequestError({
    status: 413,
    code: 'body_too_large',
    publicText: `The request body is larger than ${sizeText(bytesMax)}.`,
  })
}

function bodyInPieces(): RequestError {
  return new RequestError({
    status: 413,
    code: 'body_too_large',
    publicText: 'The request body came in too many small pieces.',
    headers: { Connection: 'close' },
  })
}

/** Builds a 408 and not a 504: a request that never arrived was certainly not executed. */
function bodyLate(): RequestError {
  return new RequestError({
    status: 408,
    code: 'request_timeout',
    publicText: 'The request did not arrive in time.',
    headers: { Connection: 'close' },
  })
}

function aborted(): RequestError {
  return new RequestError({
    status: 400,
    code: 'aborted',
    publicText: 'The request body did not arrive whole.',
    headers: { Connection: 'close' },
  })
}

/** Refuses a body with a content coding, such as gzip: it would be read as it was sent, and be no JSON. */
export function refuseEncoded(header: string | string[] | undefined): void {
  if (header === undefined || /^[\s,]*(?:identity[\s,]*)*$/i.test(String(header))) return
  throw new RequestError({
    status: 415,
    code: 'unsupported_media_type',
    publicText: 'The body was not read: send it as it is, without Content-Encoding.',
    headers: { 'Accept-Encoding': 'identity' },
  })
}

/**
 * Parses JSON by the contract's rules: valid UTF-8, perhaps after a byte order mark, with a JSON content type or none. The depth and the number of
 * values are checked before it is parsed.
 */
export function parseJsonBody(
  contentType: string | undefined,
  bytes: Buffer,
  valuesMax = JSON_VALUES_MAX,
): unknown {
  if (bytes.length === 0) return undefined
  if (contentType !== undefined && !JSON_TYPE.test(contentType)) {
    throw new RequestError({
      status: 415,
      code: 'unsupported_media_type',
      publicText: 'The body must be JSON: send Content-Type: application/json.',
    })
  }
  if (!isUtf8(bytes)) throw badJson('The body is not valid UTF-8.')
  const excess = excessOf(bytes, valuesMax)
  if (excess !== undefined) throw badJson(EXCESS_TEXTS[excess](valuesMax))
  try {
    return JSON.parse(bytes.toString('utf8', startOf(bytes)))
  } catch {
    throw badJson('The body is not valid JSON.')
  }
}

/** Returns the place after a byte order mark, which some languages write before every UTF-8 text. */
function startOf(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;.*)?$/i

const EXCESS_TEXTS: Readonly<Record<JsonShape, (valuesMax: number) => string>> = {
  too_deep: () => `The body is nested more than ${JSON_DEPTH_MAX} levels deep.`,
  too_many_values: (valuesMax) => `The body has more than ${valuesMax} values.`,
}

function badJson(publicText: string): RequestError {
  return new RequestError({ status: 400, code: 'malformed_body', publicText })
}
