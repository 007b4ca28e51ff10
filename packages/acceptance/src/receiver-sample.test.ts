import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { send } from './http.ts'
import { until } from './service.ts'

// Receiver of docs/guides/webhooks.md, as it is printed there.

const ROOT = new URL('../../../', import.meta.url)
const KEY = randomBytes(32)
let directory: string
let baseUrl: string
let stop: () => void

beforeAll(async () => {
  const guide = await readFile(new URL('docs/guides/webhooks.md', ROOT), 'utf8')
  const sample = /```js[^\n]*\n(import \{ createServer \}[\s\S]*?)```/.exec(guide)?.[1]
  if (sample === undefined) throw new Error('the guide has a receiver')
  directory = await mkdtemp(join(tmpdir(), 'warung-sample-'))
  await symlink(new URL('node_modules', ROOT), join(directory, 'node_modules'))
  const file = join(directory, 'receiver.mjs')
  await writeFile(file, sample)
  const port = await freePort()
  const env = { PORT: String(port), WEBHOOK_SECRET: `whsec_${KEY.toString('base64')}` }
  const child = spawn(process.execPath, [file], { env })
  stop = () => child.kill()
  baseUrl = `http://127.0.0.1:${port}`
  await until('the receiver listens', () =>
    send({ baseUrl, path: '/' }).then(
      () => true,
      () => false,
    ),
  )
})

afterAll(async () => {
  stop?.()
  await rm(directory, { recursive: true, force: true })
})

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function headersFor(payload: string, key: Buffer): Record<string, string> {
  const id = 'evt_1_1'
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${payload}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}

async function post(key: Buffer): Promise<number> {
  const body = '{"data":{"refid":"A"}}'
  return (await send({ baseUrl, path: '/', method: 'POST', body, headers: headersFor(body, key) })).status
}

async function get(key: Buffer): Promise<number> {
  const query = 'refid=A&status=20&price=9.85&message=%7B%7D'
  return (await send({ baseUrl, path: `/hook?${query}`, headers: headersFor(query, key) })).status
}

it('takes what was signed with its secret, by POST and by GET', async () => {
  expect([await post(KEY), await get(KEY)]).toEqual([204, 204])
})

it('asks for another attempt at what it cannot verify: a 4xx would lose it for good', async () => {
  const other = randomBytes(32)
  expect([await post(other), await get(other)]).toEqual([503, 503])
  expect((await send({ baseUrl, path: '/' })).status).toBe(503)
})
