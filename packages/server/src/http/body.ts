import type { IncomingMessage } from 'node:http'
import { RequestError, unavailable } from '../lib/errors.ts'

export const BODY_BYTES_MAX = 10 * 1024 * 1024
/** Bodies of all requests under way together: a flood of large ones is turned away, not swapped. */
const BUDGET_BYTES = 256 * 1024 * 1024

const EMPTY = Buffer.alloc(0)

export type BodyReader = { read(message: IncomingMessage): Promise<BodyLease> }
/** The exact bytes received; `release` gives their room back once the request is answered. */
export type BodyLease = { bytes: Buffer; release(): void }

const NOTHING: BodyLease = { bytes: EMPTY, release() {} }

export function createBodyReader(budgetBytes = BUDGET_BYTES): BodyReader {
  let usedBytes = 0

  function read(message: IncomingMessage): Promise<BodyLease> {
    const declared = message.headers['content-length']
    if (message.headers['transfer-encoding'] === undefined && (declared === undefined || declared === '0')) {
      return Promise.resolve(NOTHING)
    }
    if (Number(declared) > BODY_BYTES_MAX) return Promise.reject(bodyTooLarge())
    return collect(message)
  }

  function collect(message: IncomingMessage): Promise<BodyLease> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      let size = 0
      const release = () => {
        usedBytes -= size
        size = 0
      }
      const fail = (error: Error) => {
        message.removeAllListeners('data')
        release()
        reject(error)
      }
      message.on('data', (chunk: Buffer) => {
        if (size + chunk.length > BODY_BYTES_MAX) return fail(bodyTooLarge())
        if (usedBytes + chunk.length > budgetBytes) {
          return fail(unavailable('saturated', `request bodies hold ${usedBytes} bytes`))
        }
        size += chunk.length
        usedBytes += chunk.length
        chunks.push(chunk)
      })
      message.on('end', () => {
        const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size)
        resolve({ bytes, release })
      })
      message.on('error', () => fail(aborted()))
      message.on('close', () => {
        if (!message.complete) fail(aborted())
      })
    })
  }

  return { read }
}

function bodyTooLarge(): RequestError {
  return new RequestError({
    status: 413,
    code: 'body_too_large',
    publicText: 'The request body is larger than 10 MB.',
    headers: { Connection: 'close' },
  })
}

function aborted(): RequestError {
  return new RequestError({
    status: 400,
    code: 'aborted',
    publicText: 'The request body did not arrive whole.',
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
  let text: string
  try {
    text = STRICT_UTF8.decode(bytes)
  } catch {
    throw badJson('The body is not valid UTF-8.')
  }
  try {
    return JSON.parse(text)
  } catch {
    throw badJson('The body is not valid JSON.')
  }
}

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;.*)?$/i
// A byte order mark is kept, so that JSON.parse refuses it as it refuses every other stray character.
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function badJson(publicText: string): RequestError {
  return new RequestError({ status: 400, code: 'malformed_body', publicText })
}
