import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, newAddress, TRUST_TEST_PROXY } from '../../clients.ts'
import type { TestReseller } from '../../edge.ts'
import {
  BALANCE,
  balanceOf,
  createReseller,
  expectProblem,
  expectUnauthorized,
  issueTokens,
  readMetric,
  statusesIn,
} from '../../edge.ts'
import { send } from '../../http.ts'
import { signInOperator } from '../../portal/people.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices } from '../../service.ts'
import type { Credentials } from '../../signing.ts'
import { signRequest } from '../../signing.ts'

const TOKEN = '/v2/token'
const MIB = 1_048_576
const SMALL_BYTES = 65_536
const LIMIT_BYTES = 10 * MIB

let database: TestDatabase
let service: Service
let reseller: TestReseller

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database, environment: TRUST_TEST_PROXY })
  reseller = await createReseller(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

async function* inPieces(body: Buffer, pieceBytes = 65_536): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += pieceBytes) yield body.subarray(at, at + pieceBytes)
}

function sendBody(body: Buffer | AsyncIterable<Buffer>, path = TOKEN, method = 'POST') {
  const headers = { 'Content-Type': 'application/json', ...from(newAddress()) }
  return send({ baseUrl: service.baseUrl, path, method, headers, body })
}

/** Sends a body with a signature, by the right key or an unknown one; its length is declared, or it comes in chunks. */
function sendSigned(body: Buffer, isInChunks: boolean, credentials: Credentials = reseller) {
  const headers = { ...signRequest({ ...credentials, method: 'GET', body }), ...from(newAddress()) }
  return send({ baseUrl: service.baseUrl, path: BALANCE, headers, body: isInChunks ? inPieces(body) : body })
}

describe('64 KiB', () => {
  it('exactly are read from anybody, whether their length is told or they come in chunks', async () => {
    const body = Buffer.alloc(SMALL_BYTES, '[')
    for (const sent of [body, inPieces(body, 1_000)]) expectProblem(await sendBody(sent), 400)
  })

  it('one byte more than 64 KiB is too much for an operation that anybody may call, even with a key', async () => {
    const body = Buffer.alloc(SMALL_BYTES + 1, ' ')
    for (const sent of [body, inPieces(body)]) expectProblem(await sendBody(sent), 413)
    const headers = { ...signRequest({ ...reseller, method: 'POST', body }), ...from(newAddress()) }
    const signed = await send({ baseUrl: service.baseUrl, path: TOKEN, method: 'POST', headers, body })
    expectProblem(signed, 413)
  })

  it.each([false, true])(
    'one byte more than 64 KiB is not read from an unknown caller (chunks: %s)',
    async (isInChunks) => {
      const stranger = { ...reseller, apiKey: `${reseller.apiKey}x` }
      const body = Buffer.alloc(SMALL_BYTES + 1, ' ')
      expectUnauthorized(await sendSigned(body, isInChunks, stranger), 'invalid_api_key')
      const baseUrl = service.baseUrl
      const sent = () => (isInChunks ? inPieces(body) : body)
      expectUnauthorized(await send({ baseUrl, path: BALANCE, body: sent() }), 'unauthorized')
      const bearer = { Authorization: 'Bearer garbage' }
      expectUnauthorized(
        await send({ baseUrl, path: BALANCE, headers: bearer, body: sent() }),
        'invalid_token',
      )
      for (const path of ['/operator/v1/catalogue/preview', '/portal/v1/catalogue/preview']) {
        const answer = await send({
          baseUrl,
          path,
          method: 'POST',
          headers: from(newAddress()),
          body: sent(),
        })
        expectUnauthorized(answer, 'unauthorized')
      }
    },
  )

  it('more than 64 KiB is read from a caller with a token and from a person who is signed in', async () => {
    const { IdToken } = await issueTokens(service, reseller.account)
    const headers = { Authorization: `Bearer ${IdToken}`, ...from(newAddress()) }
    const body = Buffer.alloc(LIMIT_BYTES, ' ')
    expect((await send({ baseUrl: service.baseUrl, path: BALANCE, headers, body })).status).toBe(200)
    const operator = await signInOperator(service)
    const document = { format: 'x'.repeat(MIB) }
    const answer = await operator.send('POST', '/catalogue/preview', { document })
    expect(answer.status, answer.text).toBe(400)
    expect(answer.text).toContain('format')
  })
})

describe('10 MiB', () => {
  it('exactly are read from a known caller, whether their length is told or they come in chunks', async () => {
    const body = Buffer.alloc(LIMIT_BYTES, '[')
    for (const isInChunks of [false, true]) expect((await sendSigned(body, isInChunks)).status).toBe(200)
  })

  it('are hashed for a signature, to the last byte', async () => {
    const body = Buffer.alloc(LIMIT_BYTES, 'b')
    expect((await balanceOf(service, reseller, { body })).status).toBe(200)
    const headers = signRequest({ ...reseller, method: 'GET', body })
    body[LIMIT_BYTES - 1] = 0
    const changed = await send({ baseUrl: service.baseUrl, path: BALANCE, headers, body })
    expect(changed.json()).toMatchObject({ error: 'invalid_signature' })
  })

  it('one byte more than 10 MiB is too much, with a length or in chunks', async () => {
    const body = Buffer.alloc(LIMIT_BYTES + 1, ' ')
    for (const isInChunks of [false, true]) expectProblem(await sendSigned(body, isInChunks), 413)
    expectProblem(await sendBody(body, BALANCE, 'GET'), 413)
  })
})

/** Writes everything before it reads anything, as many HTTP libraries do; undefined when nothing can be read. */
function writeThenRead(head: string, body: Buffer): Promise<number | undefined> {
  const { hostname, port } = new URL(service.baseUrl)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname)
    socket.pause()
    socket.on('error', () => resolve(undefined))
    socket.on('close', () => resolve(statusesIn(Buffer.concat(chunks).toString())[0]))
    socket.write(head)
    socket.write(body, (error) => {
      if (error) return
      socket.on('data', (chunk) => {
        chunks.push(chunk)
        socket.end()
      })
      socket.resume()
    })
  })
}

describe('a body that is refused', () => {
  it.each([
    ['too large', `POST ${TOKEN}`, 413],
    ['to nowhere', 'POST /nowhere', 404],
    ['to a path without that method', 'POST /v2/balance', 405],
  ])('%s leaves its sender the time to read why', async (_, start, status) => {
    const body = Buffer.alloc(32 * MIB, 'x')
    for (const connection of ['keep-alive', 'close', 'close', 'keep-alive']) {
      const lines = `Host: x\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n`
      expect(await writeThenRead(`${start} HTTP/1.1\r\n${lines}\r\n`, body), connection).toBe(status)
    }
  })

  it('is told at once, not when the last of a thousand gigabytes has come', async () => {
    const headers = { 'Content-Length': '1000000000000', ...from(newAddress()) }
    const answer = await send({ baseUrl: service.baseUrl, method: 'POST', path: TOKEN, headers, body: '{' })
    expectProblem(answer, 413)
  })
})

describe('memory', () => {
  const rssMib = async () => (await readMetric(service, 'process_resident_memory_bytes')) / MIB

  it('a body in a million pieces takes the room of its bytes, not of its pieces', async () => {
    const before = await rssMib()
    const piece = Buffer.from('1\r\na\r\n'.repeat(10_000))
    const { hostname, port } = new URL(service.baseUrl)
    const socket = connect(Number(port), hostname)
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {})
    // The body is read if the key exists; the signature is checked when the body is complete.
    socket.write(
      `GET ${BALANCE} HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${reseller.apiKey}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    for (let sent = 0; sent < 100; sent += 1) {
      await new Promise<void>((resolve) => socket.write(piece, () => resolve()))
    }
    // The request is still unanswered, so all of its memory is held now.
    expect((await rssMib()) - before).toBeLessThan(120)
    socket.destroy()
    await closed
  })

  it('a hundred large bodies leave nothing behind', async () => {
    const sizes = [1, 2, 4, 10, 11]
    const bodies = sizes.map((mib) => Buffer.alloc(mib * MIB - 1, '['))
    const round = async (count: number) => {
      for (let done = 0; done < count; done += 10) {
        const some = Array.from({ length: 10 }, (_, index) => bodies[(done + index) % bodies.length])
        const answers = await Promise.all(some.map((body) => sendSigned(body ?? Buffer.alloc(0), false)))
        for (const { status } of answers) expect([200, 413, 503]).toContain(status)
      }
    }
    await round(20)
    const warm = await rssMib()
    await round(80)
    expect((await rssMib()) - warm).toBeLessThan(300)
    expect((await balanceOf(service, reseller)).status).toBe(200)
  })

  it('more bodies at once than there is room for are turned away, and the service stays', async () => {
    const body = Buffer.alloc(LIMIT_BYTES - 1, '[')
    const answers = await Promise.all(Array.from({ length: 40 }, () => sendSigned(body, false)))
    for (const answer of answers) {
      expect([200, 503]).toContain(answer.status)
      if (answer.status === 503) expect(answer.headers['retry-after']).toBe('1')
    }
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await balanceOf(service, reseller)).status).toBe(200)
  })
})
