import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { RequestError, unavailable } from '../lib/errors.ts'

export const BODY_BYTES_MAX = 10 * 1024 * 1024
/** Bodies of all requests under way together: a flood of large ones is turned away, not swapped. */
const BUDGET_BYTES = 256 * 1024 * 1024

const EMPTY = Buffer.alloc(0)

export type BodyReader = {
  /**
   * Calls `whenRead` once, at the latest when it is told to give up: with the function it returns, which is undefined
   * when the body is here already. Not a promise: this is every request's path.
   */
  read(message: IncomingMessage, whenRead: (read: BodyLease | RequestError) => void): (() => void) | undefined
}
/** The exact bytes received; `release` gives their room back once the request is answered. */
export type BodyLease = { bytes: Buffer; release(): void }

const NOTHING: BodyLease = { bytes: EMPTY, release() {} }

/** How Node names a request that did not arrive within the server's own timeout. */
export const REQUEST_TIMEOUT_CODE = 'ERR_HTTP_REQUEST_TIMEOUT'

export function createBodyReader(budgetBytes = BUDGET_BYTES): BodyReader {
  const budget: Budget = { bytes: budgetBytes, usedBytes: 0 }
  return {
    read(message, whenRead) {
      const declared = message.headers['content-length']
      const chunked = message.headers['transfer-encoding'] !== undefined
      if (!chunked && (declared === undefined || declared === '0')) {
        whenRead(NOTHING)
        return undefined
      }
      if (Number(declared) > BODY_BYTES_MAX) {
        // Read and thrown away: closing now would cost most clients the answer, for they are still writing.
        message.resume()
        whenRead(bodyTooLarge())
        return undefined
      }
      return collect(message, budget, whenRead)
    },
  }
}

type Budget = { readonly bytes: number; usedBytes: number }

function collect(
  message: IncomingMessage,
  budget: Budget,
  whenRead: (read: BodyLease | RequestError) => void,
): () => void {
  const body = gather(budget)
  let isOver = false
  // Errors are made when they are needed: every body ends with a `close`, and an error costs its stack.
  const fail = (makeError: () => RequestError) => {
    if (isOver) return
    isOver = true
    body.release()
    // The rest, if any, flows away unread.
    message.removeListener('data', take).resume()
    whenRead(makeError())
  }
  const take = (chunk: Buffer) => {
    const refusal = body.add(chunk)
    if (refusal !== undefined) fail(() => refusal)
  }
  message.on('data', take)
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

const GROWTH_BYTES_MIN = 16 * 1024

/**
 * Bytes that arrive in pieces, in one buffer that doubles. A list of the pieces costs far more than their
 * bytes when a sender cuts a body into millions of them, and the budget would not notice.
 */
function gather(budget: Budget) {
  let held: Buffer = EMPTY
  let size = 0

  function growTo(capacity: number): RequestError | undefined {
    const added = capacity - held.length
    if (budget.usedBytes + added > budget.bytes) return overBudget(budget)
    budget.usedBytes += added
    const larger = Buffer.allocUnsafeSlow(capacity)
    held.copy(larger, 0, 0, size)
    held = larger
    return undefined
  }

  function keep(chunk: Buffer): RequestError | undefined {
    if (budget.usedBytes + chunk.length > budget.bytes) return overBudget(budget)
    budget.usedBytes += chunk.length
    held = chunk
    size = chunk.length
    return undefined
  }

  return {
    add(chunk: Buffer): RequestError | undefined {
      const needed = size + chunk.length
      if (needed > BODY_BYTES_MAX) return bodyTooLarge()
      // Most bodies come in one piece, which is then the body; one that goes on is copied when it does.
      if (size === 0) return keep(chunk)
      if (needed > held.length) {
        const doubled = Math.min(BODY_BYTES_MAX, 2 * held.length)
        const refusal = growTo(Math.max(needed, doubled, GROWTH_BYTES_MIN))
        if (refusal !== undefined) return refusal
      }
      chunk.copy(held, size)
      size = needed
      return undefined
    },
    bytes: () => held.subarray(0, size),
    release() {
      budget.usedBytes -= held.length
      held = EMPTY
      size = 0
    },
  }
}

function overBudget({ usedBytes }: Budget): RequestError {
  return unavailable('saturated', `request bodies hold ${usedBytes} bytes`)
}

function bodyTooLarge(): RequestError {
  return new RequestError({
    status: 413,
    code: 'body_too_large',
    publicText: 'The request body is larger than 10 MB.',
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

/** JSON as the contract means it: valid UTF-8, in a JSON content type or none at all. */
export function parseJsonBody(contentType: string | undefined, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (contentType !== undefined && !JSON_TYPE.test(contentType)) {
    throw new RequestError({
      status: 415,
      code: 'unsupported_media_type',
      publicText: 'The body must be JSON: send Content-Type: application/json.',
    })
  }
  if (!isUtf8(bytes)) throw badJson('The body is not valid UTF-8.')
  try {
    // A byte order mark is kept, so that JSON.parse refuses it as it refuses every other stray character.
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw badJson('The body is not valid JSON.')
  }
}

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;.*)?$/i

function badJson(publicText: string): RequestError {
  return new RequestError({ status: 400, code: 'malformed_body', publicText })
}
