import { writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CommandLine } from '../../../testing/command-line.ts'
import { openCommandLine } from '../../../testing/command-line.ts'

// A supplier's list of 20,000 offers, read by the command through the pack's own configuration.

const OFFERS = 20_000
const PAGES = Math.ceil(OFFERS / 1_024)

let line: CommandLine
let supplier: Server
/** Places of the list that were asked for. */
const asked: number[] = []
/** The supplier breaks off at this place. */
let brokenAt = Number.POSITIVE_INFINITY
let dearer = 0

beforeAll(async () => {
  line = await openCommandLine()
  Object.assign(line.env, { WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8' })
  supplier = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://supplier').searchParams
    const [from, size] = [Number(query.get('_offset')), Number(query.get('_limit'))]
    asked.push(from)
    if (from >= brokenAt) return void response.writeHead(503).end()
    const list = Array.from({ length: Math.min(size, OFFERS - from) }, (_, index) => offer(from + index))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ limit: size, offset: from, total: OFFERS, list }))
  })
  await new Promise<void>((resolve) => supplier.listen(0, '127.0.0.1', resolve))
  const { port } = supplier.address() as AddressInfo
  const secrets = join(line.folder, 'secrets.json')
  await writeFile(secrets, JSON.stringify({ api_key: 'test-key-4711', callback: 'callback-4711' }))
  const setting = `base_url=http://127.0.0.1:${port}`
  await run('provider', 'add', '--pack', 'zendit', '--secrets-file', secrets, '--setting', setting)
})

afterAll(async () => {
  supplier?.close()
  await line?.close()
})

/** Offer in the form of the supplier's documents: amounts in hundredths. */
function offer(index: number): object {
  const value = 500 + (index % 50) * 100
  return {
    offerId: `OFFER-${index}`,
    brand: `Brand ${Math.floor(index / 50)}`,
    country: 'MY',
    productType: 'TOPUP',
    notes: '',
    enabled: true,
    send: { currency: 'MYR', currencyDivisor: 100, fixed: value },
    cost: { currency: 'MYR', currencyDivisor: 100, fixed: value - 10 + (index < dearer ? 5 : 0) },
  }
}

async function run(...words: string[]): Promise<Record<string, never>> {
  const { out, err } = await line.run(...words, '--json')
  return JSON.parse(out === '' ? JSON.stringify({ failed: err }) : out) as Record<string, never>
}

const sync = () => run('catalog', 'sync', '--provider', 'zendit', '--wait')

it('a list of 20,000 offers that breaks off is read on from its page, and proposes each once', async () => {
  brokenAt = 10_240
  const reading = sync()
  await expect.poll(() => asked.length, { timeout: 120_000 }).toBeGreaterThan(10)
  brokenAt = Number.POSITIVE_INFINITY
  expect(await reading).toMatchObject({
    reading: { state: 'complete', pages: PAGES, offers: OFFERS, unread: 0, proposals: OFFERS, trouble: null },
  })
  expect(new Set(asked).size).toBe(PAGES)
}, 300_000)

it('a list that is the same but for 100 costs proposes those anew, and nothing else', async () => {
  dearer = 100
  expect(await sync()).toMatchObject({ reading: { offers: OFFERS, proposals: 100 } })
  const { proposals } = await run('catalog', 'proposals', '--provider', 'zendit', '--limit', '1')
  expect(proposals).toMatchObject([{ kind: 'new', products: [expect.stringMatching(/^BRAND_\d+$/)] }])
}, 300_000)

it('500 new offers are accepted at once', async () => {
  const accepted = await run('catalog', 'accept', '--provider', 'zendit', '--kind', 'new')
  expect(accepted).toMatchObject({ accepted: 500, refused: [], next: expect.any(String) })
}, 300_000)
