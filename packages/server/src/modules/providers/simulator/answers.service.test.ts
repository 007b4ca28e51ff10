import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SimulatorServer } from './server.service.ts'
import { startSimulatorServer } from './server.service.ts'
import type { RequestFaultKind } from './types.ts'
import type { BookLine } from './wire.schemas.ts'

let server: SimulatorServer

beforeEach(async () => {
  server = await startSimulatorServer({ port: 0, host: '127.0.0.1', wait: () => Promise.resolve() })
})

afterEach(() => server.close())

async function set(kind: RequestFaultKind): Promise<void> {
  const answer = await fetch(`${server.url}/faults`, {
    method: 'POST',
    body: JSON.stringify({ kind, count: 1 }),
  })
  expect(answer.status).toBe(200)
}

async function books(): Promise<BookLine[]> {
  return ((await (await fetch(`${server.url}/orders`)).json()) as { orders: BookLine[] }).orders
}

const BODY = JSON.stringify({ reference: 'r-1', product: 'NOVA', account: '60198765432', amount: '10' })

/** Returns all bytes until the end of the connection, and the error that ended it. */
async function submitRaw(): Promise<{ text: string; error: string | undefined }> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  let error: string | undefined
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  socket.on('error', (trouble: NodeJS.ErrnoException) => {
    error = trouble.code
  })
  socket.write(
    `POST /orders HTTP/1.1\r\nHost: simulator\r\nConnection: close\r\nAuthorization: Bearer sesame\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  )
  await new Promise((resolve) => socket.once('close', resolve))
  return { text, error }
}

describe('an answer spoilt by', () => {
  it.each([
    ['reset_before', false],
    ['reset_after', true],
  ] as const)('%s is none, the connection is reset, and it was acted on: %s', async (kind, acted) => {
    await set(kind)
    expect(await submitRaw()).toEqual({ text: '', error: 'ECONNRESET' })
    expect(await books()).toHaveLength(acted ? 1 : 0)
  })

  it.each([
    ['drop_before', false],
    ['drop_after', true],
  ] as const)('%s is none, the connection just ends, and it was acted on: %s', async (kind, acted) => {
    await set(kind)
    expect((await submitRaw()).text).toBe('')
    expect(await books()).toHaveLength(acted ? 1 : 0)
  })

  it('truncated promises more than comes', async () => {
    await set('truncated')
    const { text } = await submitRaw()
    const [head = '', body = ''] = text.split('\r\n\r\n')
    const promised = Number(/content-length: (\d+)/i.exec(head)?.[1])
    expect(body.length).toBeGreaterThan(0)
    expect(body.length).toBeLessThan(promised)
    expect(await books()).toHaveLength(1)
  })

  it('trickle comes whole, a byte at a time', async () => {
    await set('trickle')
    const { text } = await submitRaw()
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: 'succeeded' })
  })

  it('not_http is no HTTP at all', async () => {
    await set('not_http')
    expect((await submitRaw()).text).toMatch(/^220 /)
    expect(await books()).toHaveLength(1)
  })

  it('echo shows what was sent, credentials included', async () => {
    await set('echo')
    const { text } = await submitRaw()
    expect(text).toContain('authorization: Bearer sesame')
    expect(text).toContain(BODY)
    expect(await books()).toHaveLength(1)
  })

  it('huge is a right answer of several megabytes', async () => {
    await set('huge')
    const { text } = await submitRaw()
    expect(text.length).toBeGreaterThan(4_000_000)
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ status: 'succeeded' })
  })

  it('redirect points elsewhere, and nothing was done', async () => {
    await set('redirect')
    const { text } = await submitRaw()
    expect(text).toMatch(/^HTTP\/1\.1 307 /)
    expect(text).toMatch(/location: \/elsewhere/i)
    expect(await books()).toEqual([])
  })

  it.each([
    ['hang', 1],
    ['hang_before', 0],
  ] as const)('%s never comes', async (kind, acted) => {
    await set(kind)
    const asked = submitRaw()
    let left = 1
    while (left > 0) {
      const answer = await fetch(`${server.url}/faults`)
      left = ((await answer.json()) as { faults: unknown[] }).faults.length
    }
    expect(await books()).toHaveLength(acted)
    await server.close()
    expect((await asked).text).toBe('')
    server = await startSimulatorServer({ port: 0, host: '127.0.0.1' })
  })
})
