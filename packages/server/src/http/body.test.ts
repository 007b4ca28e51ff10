import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { RequestError } from '../lib/errors.ts'
import type { BodyLease, BodyReader } from './body.ts'
import { BODY_BYTES_MAX, createBodyReader, REQUEST_TIMEOUT_CODE } from './body.ts'

const KIB = 1_024
const MIB = 1_024 * KIB

/** A message as the reader sees one: its headers, and the bytes that a test writes. */
function chunkedMessage(): PassThrough & IncomingMessage {
  return Object.assign(new PassThrough(), { headers: { 'transfer-encoding': 'chunked' } }) as never
}

/** What became of it; `late` gives up at once, as the edge does when the time for a request is over. */
function read(reader: BodyReader, message: IncomingMessage, when: 'in time' | 'late' = 'in time') {
  return new Promise<BodyLease>((resolve, reject) => {
    const giveUp = reader.read(message, (body) =>
      body instanceof RequestError ? reject(body) : resolve(body),
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

async function readWhole(reader: BodyReader, body: Buffer) {
  const message = chunkedMessage()
  const reading = read(reader, message)
  message.end(body)
  return reading
}

describe('a body', () => {
  it.each([1, 2, 3, 1_000, 16_384, 16_385, 65_536])(
    'in pieces of %d bytes is the same bytes',
    async (pieceBytes) => {
      const body = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251))
      const message = chunkedMessage()
      const reading = read(createBodyReader(), message)
      for (let at = 0; at < body.length; at += pieceBytes) message.write(body.subarray(at, at + pieceBytes))
      message.end()
      expect((await reading).bytes.equals(body)).toBe(true)
    },
  )

  it('of 10 MiB is read, and of one byte more refused', async () => {
    const reader = createBodyReader()
    expect((await readWhole(reader, Buffer.alloc(BODY_BYTES_MAX))).bytes.length).toBe(BODY_BYTES_MAX)
    expect((await refusalOf(readWhole(reader, Buffer.alloc(BODY_BYTES_MAX + 1)))).status).toBe(413)
    const declared = Object.assign(chunkedMessage(), {
      headers: { 'content-length': String(BODY_BYTES_MAX + 1) },
    })
    expect((await refusalOf(read(reader, declared))).status).toBe(413)
  })

  it('that is not here at the deadline is given up with 408, also when Node says so first', async () => {
    const reader = createBodyReader()
    expect((await refusalOf(read(reader, chunkedMessage(), 'late'))).status).toBe(408)
    const message = chunkedMessage()
    const reading = read(reader, message)
    message.emit('error', Object.assign(new Error('late'), { code: REQUEST_TIMEOUT_CODE }))
    expect((await refusalOf(reading)).status).toBe(408)
  })

  it('that breaks off is refused', async () => {
    const message = chunkedMessage()
    const reading = read(createBodyReader(), message)
    message.write('half')
    message.destroy()
    expect((await refusalOf(reading)).code).toBe('aborted')
  })
})

describe('the room for bodies', () => {
  it('is for all of them together, and 503 beyond', async () => {
    const reader = createBodyReader(MIB)
    const held = await readWhole(reader, Buffer.alloc(700 * KIB))
    const { status, headers } = await refusalOf(readWhole(reader, Buffer.alloc(400 * KIB)))
    expect(status).toBe(503)
    expect(headers).toHaveProperty('Retry-After')
    held.release()
    expect((await readWhole(reader, Buffer.alloc(400 * KIB))).bytes.length).toBe(400 * KIB)
  })

  it('comes back whole, whatever became of a body', async () => {
    const reader = createBodyReader(MIB)
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
      // What comes after the end is not held either.
      late.write(Buffer.alloc(600 * KIB))

      await refusalOf(readWhole(reader, Buffer.alloc(2 * MIB)))
    }
    expect((await readWhole(reader, Buffer.alloc(MIB))).bytes.length).toBe(MIB)
  })
})
