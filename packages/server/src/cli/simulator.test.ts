import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { UsageError } from './command.ts'
import { runSimulator, simulatorCommand } from './simulator.ts'

let directory: string

const tlsFile = (name: string) => fileURLToPath(new URL(`../testing/tls/${name}`, import.meta.url))

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'warung-simulator-command-'))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

function callWith(options: Record<string, string | true>) {
  return {
    find: (name: string) => (typeof options[name] === 'string' ? options[name] : undefined),
    has: (name: string) => options[name] !== undefined,
  }
}

/** Starts the command as main would, and returns the address that it printed. */
async function start(options: Record<string, string | true>) {
  let stop = () => {}
  const asked = new Promise<void>((resolve) => {
    stop = resolve
  })
  let ended: Promise<number> = Promise.resolve(-1)
  const text = await new Promise<string>((resolve, reject) => {
    ended = runSimulator(callWith(options), { out: resolve, asked })
    ended.catch(reject)
  })
  return { text, ended, stop }
}

it('serves at the address it prints until it is asked to end', async () => {
  const { text, ended, stop } = await start({ port: '0' })
  const url = /^The simulator is at (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(text)?.[1] ?? ''
  expect((await fetch(`${url}/health`)).status).toBe(200)
  stop()
  expect(await ended).toBe(0)
  await expect(fetch(`${url}/health`)).rejects.toThrow()
})

it('keeps its books where it is told, and prints its address as JSON when asked', async () => {
  const books = join(directory, 'books.jsonl')
  const { text, ended, stop } = await start({ port: '0', books, json: true })
  const { url } = JSON.parse(text) as { url: string }
  const order = { reference: 'kept-1', product: 'NOVA', account: '60123456789', amount: '10' }
  const answer = await fetch(`${url}/orders`, { method: 'POST', body: JSON.stringify(order) })
  expect(await answer.json()).toMatchObject({ status: 'succeeded' })
  stop()
  await ended
  expect(await readFile(books, 'utf8')).toContain('"kept-1"')
})

it.each(['65536', '-1', 'x', ''])('refuses port %j as misuse', async (port) => {
  await expect(runSimulator(callWith({ port }))).rejects.toThrow(UsageError)
})

it('guards its orders with what the file of secrets says, and holds the float it is given', async () => {
  const secrets = join(directory, 'secrets.json')
  const auth = { kind: 'bearer', token: 'sesame' }
  await writeFile(secrets, JSON.stringify({ callback: 'signs', auth }))
  const { text, ended, stop } = await start({ port: '0', json: true, secrets, float: '12.50' })
  const { url } = JSON.parse(text) as { url: string }
  expect((await fetch(`${url}/float`)).status).toBe(401)
  const admitted = await fetch(`${url}/float`, { headers: { authorization: 'Bearer sesame' } })
  expect(await admitted.json()).toEqual({ balance: '12.50' })
  stop()
  await ended
})

it('speaks https with the key and certificate it is given', async () => {
  const { text, ended, stop } = await start({
    port: '0',
    json: true,
    'tls-key': tlsFile('server.key'),
    'tls-cert': tlsFile('server.pem'),
  })
  const { url } = JSON.parse(text) as { url: string }
  expect(url).toMatch(/^https:/)
  const ca = await readFile(tlsFile('ca.pem'))
  const status = await new Promise((resolve, reject) => {
    const { port } = new URL(url)
    https
      .get({ port, host: '127.0.0.1', servername: 'localhost', path: '/health', ca }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      .on('error', reject)
  })
  expect(status).toBe(200)
  stop()
  await ended
})

it.each([
  ['a float that is no amount', { float: 'lots' }],
  ['a callback address that is none', { 'callback-url': 'ftp://example.com' }],
  ['a key without its certificate', { 'tls-key': tlsFile('server.key') }],
])('refuses %s as misuse', async (_, options) => {
  await expect(runSimulator(callWith({ port: '0', ...options }))).rejects.toThrow(UsageError)
})

it.each([
  '',
  'null',
  '{"callback":1}',
  '{"auth":{"kind":"magic"}}',
  '{"auth":{"kind":"basic"}}',
  '{"auth":1}',
])('refuses %j as a file of secrets', async (text) => {
  const secrets = join(directory, 'bad.json')
  await writeFile(secrets, text)
  await expect(runSimulator(callWith({ port: '0', secrets }))).rejects.toThrow(UsageError)
})

it('is described as a command', () => {
  expect(simulatorCommand.name).toBe('simulator')
  expect(Object.keys(simulatorCommand.options)).toEqual([
    'port',
    'host',
    'books',
    'float',
    'callback-url',
    'secrets',
    'tls-key',
    'tls-cert',
  ])
})
