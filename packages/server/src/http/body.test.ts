import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { RequestError } from '../lib/errors.ts'
import type { BodyLease, BodyReader, BodyTerms } from './body.ts'
import { BODY_BYTES_MAX, createBodyReader, parseJsonBody, REQUEST_TIMEOUT_CODE } from './body.ts'
import { createBodyBudget, SMALL_BODY_BYTES } from './intake/body-budget.ts'

const KIB = 1_024
const MIB = 1_024 * KIB

/** Builds a message as the reader sees one: its headers, and the bytes that a test writes. */
function chunkedMessage(): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers: { 'transfer-encoding': 'chunked' } }) as never
}

/** Terms that take bodies of any caller, up to the contract's size. */
const TERMS: BodyTerms = { bytesMax: BODY_BYTES_MAX, recognize() {} }

/** Reads a body; `late` gives up at once, as the edge does when the time for a request is over. */
function read(
  reader: BodyReader,
  message: IncomingMessage,
  when: 'in time' | 'late' = 'in time',
  terms = TERMS,
) {
  return new Promise<BodyLease>((resolve, reject) => {
    const giveUp = reader.read({ message, address: '192.0.2.1' } as never, terms, (body) =>
      body instanceof Error ? reject(body) : resolve(body),
    )
    if (when === 'late') giveUp?.()
  })
}

async function refusalOf(reading: unknown): Promise<RequestError> {
  const error = await Promise.resolve(reading).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof RequestError) return error
  throw new Error('nothing was refused')
}

async function readWhole(reader: BodyReader, body: Buffer, terms = TERMS) {
  const message = chunkedMessage()
  const reading = read(reader, message, 'in time', terms)
  message.end(body)
  return reading
}

describe('a body', () => {
  it('in more small pieces than their bytes are worth is refused with 413, and read no further', async () => {
    const message = chunkedMessage()
    const refused = refusalOf(read(createBodyReader(), message))
    for (let at = 0; at < 5_000; at += 1) message.write('a')
    expect(await refused).toMatchObject({ status: 413, headers: { Connection: 'close' } })
    expect(message.isPaused()).toBe(true)
  })

  it.each([70, 101, 1_000, 16_384, 16_385, 65_536])(
    'a body in pieces of %d bytes is the same bytes',
    async (pieceBytes) => {
      const body = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251))
      const message = chunkedMessage()
      const reading = read(createBodyReader(), message)
      for (let at = 0; at < body.length; at += pieceBytes) message.write(body.subarray(at, at + pieceBytes))
      message.end()
      expect((await reading).bytes.equals(body)).toBe(true)
    },
  )

  it('a payment’s body finds room when there is none for others, also when it comes in pieces', async () => {
    const budget = createBodyBudget({ bytes: 0, largeBytes: 0, senderBytes: 0, senderLargeBytes: 0 })
    const reader = createBodyReader(budget)
    const body = Buffer.alloc(4 * KIB, 'x')
    for (const pieceBytes of [1, 100, 4_000]) {
      const message = chunkedMessage()
      const reading = read(reader, message)
      for (let at = 0; at < body.length; at += pieceBytes) message.write(body.subarray(at, at + pieceBytes))
      message.end()
      expect((await reading).bytes.equals(body)).toBe(true)
    }
    expect((await refusalOf(readWhole(reader, Buffer.alloc(body.length + 1)))).status).toBe(503)
  })

  it('a body of 10 MiB is read, and of one byte more refused', async () => {
    const reader = createBodyReader()
    expect((await readWhole(reader, Buffer.alloc(BODY_BYTES_MAX))).bytes.length).toBe(BODY_BYTES_MAX)
    expect((await refusalOf(readWhole(reader, Buffer.alloc(BODY_BYTES_MAX + 1)))).status).toBe(413)
    const declared = Object.assign(chunkedMessage(), {
      headers: { 'content-length': String(BODY_BYTES_MAX + 1) },
    })
    expect((await refusalOf(read(reader, declared))).status).toBe(413)
  })

  it('a body that is not here at the deadline is given up with 408, also when Node says so first', async () => {
    const reader = createBodyReader()
    expect((await refusalOf(read(reader, chunkedMessage(), 'late'))).status).toBe(408)
    const message = chunkedMessage()
    const reading = read(reader, message)
    message.emit('error', Object.assign(new Error('late'), { code: REQUEST_TIMEOUT_CODE }))
    expect((await refusalOf(reading)).status).toBe(408)
  })

  it('a body that breaks off is refused', async () => {
    const message = chunkedMessage()
    const reading = read(createBodyReader(), message)
    message.write('half')
    message.destroy()
    expect((await refusalOf(reading)).code).toBe('aborted')
  })
})

describe('a large body', () => {
  const unknown = new RequestError({ status: 401, code: 'unknown', publicText: 'Who are you?' })

  function declaredMessage(bytes: number): PassThrough & IncomingMessage {
    return Object.assign(new PassThrough(), { headers: { 'content-length': String(bytes) } }) as never
  }

  /** Counts how often a caller is looked for. */
  function termsOf(recognize: () => void | Promise<void>, bytesMax = BODY_BYTES_MAX) {
    const asked = { times: 0 }
    const terms: BodyTerms = {
      bytesMax,
      recognize() {
        asked.times += 1
        return recognize()
      },
    }
    return { terms, asked }
  }

  it.each(['at once', 'later'])('is not read from callers that nobody knows (found out %s)', async (when) => {
    const { terms } = termsOf(() => {
      if (when === 'at once') throw unknown
      return Promise.reject(unknown)
    })
    const declared = declaredMessage(SMALL_BODY_BYTES + 1)
    expect(await refusalOf(read(createBodyReader(), declared, 'in time', terms))).toBe(unknown)
    const chunked = readWhole(createBodyReader(), Buffer.alloc(SMALL_BODY_BYTES + 1), terms)
    expect(await refusalOf(chunked)).toBe(unknown)
  })

  it('holds no byte before its sender is known', async () => {
    let know = () => {}
    const { terms } = termsOf(() => new Promise((resolve) => (know = resolve)))
    const message = declaredMessage(MIB)
    const reading = read(createBodyReader(), message, 'in time', terms)
    message.write(Buffer.alloc(100 * KIB))
    expect(message.readableFlowing).toBe(null)
    know()
    message.end(Buffer.alloc(MIB - 100 * KIB))
    expect((await reading).bytes.length).toBe(MIB)
  })

  it.each([100, 1_000, 65_536])(
    'a large body in chunks of %d bytes asks once, and arrives whole',
    async (pieceBytes) => {
      const { terms, asked } = termsOf(() => Promise.resolve())
      const body = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
      const message = chunkedMessage()
      const reading = read(createBodyReader(), message, 'in time', terms)
      for (let at = 0; at < body.length; at += pieceBytes) message.write(body.subarray(at, at + pieceBytes))
      message.end()
      expect((await reading).bytes.equals(body)).toBe(true)
      expect(asked.times).toBe(1)
    },
  )

  it('a body of 64 KiB or less asks for no caller', async () => {
    const { terms, asked } = termsOf(() => {
      throw unknown
    })
    const read = await readWhole(createBodyReader(), Buffer.alloc(SMALL_BODY_BYTES), terms)
    expect(read.bytes.length).toBe(SMALL_BODY_BYTES)
    expect(asked.times).toBe(0)
  })

  it('is 413 where the operation takes small ones alone, whoever sends it', async () => {
    const { terms, asked } = termsOf(() => {}, SMALL_BODY_BYTES)
    const chunked = readWhole(createBodyReader(), Buffer.alloc(SMALL_BODY_BYTES + 1), terms)
    expect(await refusalOf(chunked)).toMatchObject({
      status: 413,
      publicText: 'The request body is larger than 64 kB.',
    })
    const declared = read(createBodyReader(), declaredMessage(SMALL_BODY_BYTES + 1), 'in time', terms)
    expect((await refusalOf(declared)).status).toBe(413)
    expect(asked.times).toBe(0)
  })

  it('a large body whose sender hangs up or takes too long is given up once', async () => {
    let know = () => {}
    const { terms } = termsOf(() => new Promise((resolve) => (know = resolve)))
    const message = declaredMessage(MIB)
    const reading = read(createBodyReader(), message, 'late', terms)
    expect((await refusalOf(reading)).status).toBe(408)
    know()
    message.destroy()
  })
})

describe('JSON', () => {
  const parse = (text: string, valuesMax?: number) => parseJsonBody(undefined, Buffer.from(text), valuesMax)

  it('JSON of 64 levels is parsed, and JSON of one level more is refused', async () => {
    expect(parse('['.repeat(64) + ']'.repeat(64))).toBeInstanceOf(Array)
    const deeper = Promise.resolve().then(() => parse('['.repeat(65) + ']'.repeat(65)))
    expect(await refusalOf(deeper)).toMatchObject({
      status: 400,
      code: 'malformed_body',
      publicText: 'The body is nested more than 64 levels deep.',
    })
  })

  it('JSON of more values than the operation takes is refused', async () => {
    expect(parse(`[${'1,'.repeat(99)}1]`, 101)).toHaveLength(100)
    const more = Promise.resolve().then(() => parse(`[${'1,'.repeat(100)}1]`, 101))
    expect((await refusalOf(more)).publicText).toBe('The body has more than 101 values.')
  })
})

describe('the room for bodies', () => {
  const budgetOf = (bytes: number) =>
    createBodyBudget({ bytes, largeBytes: bytes, senderBytes: bytes, senderLargeBytes: bytes })

  it('is for all of them together, and 503 beyond', async () => {
    const reader = createBodyReader(budgetOf(MIB))
    const held = await readWhole(reader, Buffer.alloc(700 * KIB))
    const { status, headers } = await refusalOf(readWhole(reader, Buffer.alloc(400 * KIB)))
    expect(status).toBe(503)
    expect(headers).toHaveProperty('Retry-After')
    held.release()
    expect((await readWhole(reader, Buffer.alloc(400 * KIB))).bytes.length).toBe(400 * KIB)
  })

  it('comes back whole, whatever became of a body', async () => {
    const reader = createBodyReader(budgetOf(MIB))
    for (let round = 0; round < 5; round += 1) {
      const answered = await readWhole(reader, Buffer.alloc(600 * KIB))
      answered.release()
      answered.release()

      const broken = chunkedMessage()
      const breaking = refusalOf(read(reader, broken))
      broken.write(Buffer.alloc(600 * KIB))
      broken.destroy()
      await breaking

      const late = chunkedMessage()
      late.write(Buffer.alloc(600 * KIB))
      await refusalOf(read(reader, late, 'late'))
      // Bytes that come after the end are not held either.
      late.write(Buffer.alloc(600 * KIB))

      await refusalOf(readWhole(reader, Buffer.alloc(2 * MIB)))
    }
    expect((await readWhole(reader, Buffer.alloc(MIB))).bytes.length).toBe(MIB)
  })
})
