import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { send } from '../http.ts'
import { makeDirectory } from '../service.ts'
import { hasTool, toolPath } from '../tools/installed.ts'
import type { Program } from './programs.ts'
import { endPrograms, exampleFile, startProgram } from './programs.ts'

// Receivers of examples/receiver. The deliveries are signed here as the service signs them; that the clients verify the
// service's own deliveries is shown in sdk/journeys.test.ts.

type Kind = { name: 'node' | 'python' | 'php'; command: () => string; args: readonly string[] }

/** Receivers at a port that the system chooses; each prints its address. */
const KINDS: readonly Kind[] = [
  { name: 'node', command: () => process.execPath, args: [exampleFile('receiver/receiver.js')] },
  { name: 'python', command: () => toolPath('python'), args: ['-B', exampleFile('receiver/receiver.py')] },
  {
    name: 'php',
    command: () => toolPath('php'),
    args: ['-S', '127.0.0.1:0', exampleFile('receiver/receiver.php')],
  },
]
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/
const INSTALLED = KINDS.filter(({ name }) => name === 'node' || hasTool(name))

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`
const CURRENT = newSecret()
const PREVIOUS = newSecret()

afterAll(endPrograms)

describe.each(INSTALLED)('the receiver in $name', ({ command, args }) => {
  let baseUrl: string
  let folder: string
  let program: Program

  beforeAll(async () => {
    folder = join(await makeDirectory(), 'events')
    program = startProgram(command(), args, {
      PORT: '0',
      WEBHOOK_SECRETS: `${CURRENT},${PREVIOUS}`,
      RECEIVER_DATA: folder,
    })
    baseUrl = ADDRESS.exec(await program.untilPrinted(ADDRESS))?.[0] ?? ''
  })

  const kept = () => readdir(folder).catch(() => [])

  function headersOf(id: string, payload: string, secret: string, ageSeconds = 0): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1_000) - ageSeconds)
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64')
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
  }

  async function post(id: string, payload: object, secret = CURRENT, ageSeconds = 0): Promise<number> {
    const body = JSON.stringify(payload)
    const headers = { 'Content-Type': 'application/json', ...headersOf(id, body, secret, ageSeconds) }
    return (await send({ baseUrl, path: '/hook?shop=1', method: 'POST', body, headers })).status
  }

  const callback = (refid: string) => ({ data: { refid, status: 'Succesful', statusCode: 20 } })

  it('takes each event once, by POST and GET, with the current and the previous secret', async () => {
    const before = (await kept()).length
    const id = () => `evt_1_${randomBytes(6).toString('hex')}`
    const [first, second, third] = [id(), id(), id()]
    expect(await Promise.all([1, 2, 3].map(() => post(first, callback('A'))))).toEqual([204, 204, 204])
    const event = { type: 'balance.added', version: '1', id: second, data: { amount: 5 } }
    expect(await post(second, event, PREVIOUS)).toBe(204)
    const message = encodeURIComponent(JSON.stringify(callback('B').data))
    const query = `shop=a%20b&refid=B&status=20&price=9.7&message=${message}`
    const headers = headersOf(third, query, CURRENT)
    expect((await send({ baseUrl, path: `/hook?${query}`, headers })).status).toBe(204)
    expect(await post(first, callback('A'))).toBe(204)
    expect(await kept()).toHaveLength(before + 3)
    await program.untilPrinted(third)
    expect(program.output().split(first)).toHaveLength(2)
  })

  it('keeps a sample as what it is', async () => {
    const id = `evt_test_${randomBytes(6).toString('hex')}`
    expect(await post(id, callback('A'))).toBe(204)
    const name = `${createHash('sha256').update(id).digest('hex')}.json`
    expect(JSON.parse(await readFile(join(folder, name), 'utf8'))).toMatchObject({ id, isTest: true })
    expect(await program.untilPrinted(new RegExp(`sample callback ${id}`))).not.toMatch(`new callback ${id}`)
  })

  it('asks for another attempt at what it cannot verify, and keeps nothing of it', async () => {
    const before = await kept()
    expect(await post('evt_1_x', callback('C'), newSecret())).toBe(503)
    expect(await post('evt_1_x', callback('C'), CURRENT, 400)).toBe(503)
    expect((await send({ baseUrl, path: '/hook' })).status).toBe(503)
    expect(await kept()).toEqual(before)
  })
})
