import { isUtf8 } from 'node:buffer'

import { RequestError, unavailable } from '../lib/errors.ts'
import type { Exchange } from './exchange.ts'
import type { BodyBudget, Holding } from './intake/body-budget.ts'
import { createBodyBudget, SMALL_BODY_BYTES, sizeText, UNCOUNTED_BYTES } from './intake/body-budget.ts'
import type { JsonShape } from './intake/json-shape.ts'
import { excessOf, JSON_DEPTH_MAX, JSON_VALUES_MAX } from './intake/json-shape.ts'

/** The contract's bound for signed requests, and the outer bound of every operation's own. */
export const BODY_BYTES_MAX = 10 * 1024 * 1024

const EMPTY = Buffer.alloc(0)

/** How one operation takes bodies. */
export type BodyTerms = {
  readonly bytesMax: number
  /** Asked before more than SMALL_BODY_BYTES are read; throws for callers that are not known. */
  readonly recognize: (exchange: Exchange) => void | Promise<void>
}

export type BodyReader = {
  /**
   * Calls `whenRead` once, at the latest when it is told to give up: with the function it returns, which is undefined
   * when the body is here already. Not a promise: this is every request's path.
   */
  read(exchange: Exchange, terms: BodyTerms, whenRead: WhenRead): (() => void) | undefined
}
export type WhenRead = (read: BodyLease | Error) => void

/** The exact bytes received; `release` gives their room back once the request is answered. */
export type BodyLease = { bytes: Buffer; release(): void }

const NOTHING: BodyLease = { bytes: EMPTY, release() {} }

/** How Node names a request that did not arrive within the server's own timeout. */
export const REQUEST_TIMEOUT_CODE = 'ERR_HTTP_REQUEST_TIMEOUT'

export function createBodyReader(budget: BodyBudget = createBodyBudget()): BodyReader {
  return {
    read(exchange, terms, whenRead) {
      const { message } = exchange
      const declared = message.headers['content-length']
      const chunked = message.headers['transfer-encoding'] !== undefined
      if (!chunked && (declared === undefined || declared === '0')) {
        whenRead(NOTHING)
        return undefined
      }
      if (Number(declared) > terms.bytesMax) {
        // Read and thrown away: closing now would cost most clients the answer, for they are still writing.
        message.resume()
        whenRead(bodyTooLarge(terms.bytesMax))
        return undefined
      }
      const isLarge = Number(declared) > SMALL_BODY_BYTES
      return collect(exchange, { terms, isLarge, body: gather(exchange.address, budget, terms) }, whenRead)
    },
  }
}

type Collecting = {
  readonly terms: BodyTerms
  /** Announced as such; a body in chunks shows its size as it comes. */
  readonly isLarge: boolean
  readonly body: Gathering
}

function collect(exchange: Exchange, { terms, isLarge, body }: Collecting, whenRead: WhenRead): () => void {
  const { message } = exchange
  let isOver = false
  let isRecognized = false
  // Errors are made when they are needed: every body ends with a `close`, and an error costs its stack.
  const fail = (makeError: () => Error) => {
    if (isOver) return
    isOver = true
    body.release()
    // The rest, if any, flows away unread.
    message.removeListener('data', take).resume()
    whenRead(makeError())
  }
  const add = (chunk: Buffer) => {
    const refusal = body.add(chunk)
    if (refusal !== undefined) fail(() => refusal)
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
  // Nothing flows before there is a listener for it: the caller is asked for first, and waits.
  if (isLarge) recognize(() => message.on('data', take))
  else message.on('data', take)
  message.on('end', () => {
    if (isOver) return
    isOver = true
    whenRead({ bytes: body.bytes(), release: body.release })
  })
  message.on('close', () => fail(aborted))
  // Kept to the end: without a listener an error would end the process.
  message.on('error', (error: NodeJS.ErrnoException) =>
    fail(error.code === REQUEST_TIMEOUT_CODE ? bodyLate : aborted),
  )
  return () => fail(bodyLate)
}

/** Calls back without an error when the caller is known, at once where that needs no waiting. */
function whenKnown(
  exchange: Exchange,
  { recognize, bytesMax }: BodyTerms,
  done: (error: Error | undefined) => void,
): void {
  // An operation that takes no large bodies refuses this one whoever sends it.
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

const GROWTH_BYTES_MIN = 16 * 1024

type Gathering = {
  size(): number
  add(chunk: Buffer): RequestError | undefined
  bytes(): Buffer
  release(): void
}

/**
 * Bytes that arrive in pieces, in one buffer that doubles. A list of the pieces costs far more than their
 * bytes when a sender cuts a body into millions of them, and the budget would not notice.
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
      // Most bodies come in one piece, which is then the body; one that goes on is copied when it does.
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

/** A body is not counted, or not counted as a large one, because of the room that its buffer has to spare. */
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

/** Not 504: what never arrived was certainly not done. */
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

/**
 * JSON as the contract means it: valid UTF-8, in a JSON content type or none at all. Its depth and the number of its
 * values are judged before it is parsed.
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
    // A byte order mark is kept, so that JSON.parse refuses it as it refuses every other stray character.
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw badJson('The body is not valid JSON.')
  }
}

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;.*)?$/i

const EXCESS_TEXTS: Readonly<Record<JsonShape, (valuesMax: number) => string>> = {
  too_deep: () => `The body is nested more than ${JSON_DEPTH_MAX} levels deep.`,
  too_many_values: (valuesMax) => `The body has more than ${valuesMax} values.`,
}

function badJson(publicText: string): RequestError {
  return new RequestError({ status: 400, code: 'malformed_body', publicText })
}
