import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { UsageError } from './command.ts'
import { runSimulator, simulatorCommand } from './simulator.ts'

let directory: string

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

/** Starts the command as main would, and gives the address it printed. */
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

it('is described as a command', () => {
  expect(simulatorCommand.name).toBe('simulator')
  expect(Object.keys(simulatorCommand.options)).toEqual(['port', 'host', 'books'])
})
