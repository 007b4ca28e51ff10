import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { Account, CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { makeBillers, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { readFeed, sequenceAll } from '../../../testing/events/feed.ts'
import { expandChanges } from '../../catalog/changes/jobs.ts'
import { applyBase } from '../../catalog/edit/base.service.ts'
import { deposit } from '../../wallet/balance/service.ts'
import { createEventReader } from '../messages/reader.service.ts'
import type { Feed } from './feed.service.ts'
import { createFeed } from './feed.service.ts'

let bench: CatalogBench
let feed: Feed
let account: Account

const BILLERS = 1_200

beforeAll(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
  const catalog = await bench.openNode()
  const expand = () => expandChanges({ database: bench.database, catalog })
  await expand()
  account = await bench.newAccount()
  await put(5n)
  await applyBase(bench.database, { options: makeBillers(BILLERS) }, 'test')
  await expand()
  await put(6n)
  await applyBase(bench.database, { products: [sampleProduct({ isActive: false })] }, 'test')
  await expand()
  await sequenceAll(bench.database)
  feed = createFeed({ database: bench.database, reader: createEventReader(bench) })
})
afterAll(() => bench.close())

async function put(amount: bigint): Promise<void> {
  await bench.database.transaction((tx) => deposit(tx, { resellerId: account.id, amount, remarks: 'Cash' }))
}

async function numbersAfter(after: bigint, limit: number) {
  const page = await feed.list(account.id, { after, limit })
  return { ...page, events: page.events.map(({ sequence }) => Number(sequence)) }
}

describe('the feed', () => {
  it('tells changes of the catalogue among everything else, each with its own number', async () => {
    const events = await readFeed(bench, account.id, 333)
    const changes = await bench.eventsOf(account)
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
    const loaded = events.flatMap(({ loaded: { subject } }) =>
      subject.kind === 'catalog' ? [subject.event] : [],
    )
    expect(loaded).toEqual(changes)
    expect(changes.length).toBeGreaterThan(1_000)
    expect(events.filter(({ type }) => type === 'balance.added').map(({ sequence }) => sequence)).toEqual([
      1,
      1 + changes.filter(({ version }) => version === changes[0]?.version).length + 1,
    ])
  })

  it('shows a change as the envelope of its webhook', async () => {
    const { events } = await feed.list(account.id, { after: 1n, limit: 1 })
    const [change] = await bench.eventsOf(account)
    expect(events).toMatchObject([
      {
        event: {
          type: change?.type,
          data: {
            type: change?.type,
            resource: 'options',
            id: change?.id,
            timestamp: change?.createdAt.toISOString(),
            data: change?.data,
          },
        },
      },
    ])
  })

  it('is cut where it is asked to be, in the middle of a change too', async () => {
    expect(await numbersAfter(700n, 3)).toEqual({ events: [701, 702, 703], next: 703n, hasMore: true })
    expect(await numbersAfter(0n, 2)).toEqual({ events: [1, 2], next: 2n, hasMore: true })
  })

  it('ends with an empty page that says where to go on', async () => {
    const last = BigInt((await readFeed(bench, account.id)).length)
    expect(await numbersAfter(last - 1n, 5)).toEqual({ events: [Number(last)], next: last, hasMore: false })
    expect(await numbersAfter(last, 5)).toEqual({ events: [], next: last, hasMore: false })
    expect(await feed.findLatest(account.id)).toBe(last)
    expect(await feed.findLatest((await bench.newAccount()).id)).toBe(0n)
    expect(await numbersAfter(last + 50n, 5)).toEqual({ events: [], next: last + 50n, hasMore: false })
  })

  it('is read backwards in pages that meet, each event once', async () => {
    const last = BigInt((await readFeed(bench, account.id)).length)
    const seen: bigint[] = []
    for (let before: bigint | null = null; ; ) {
      const { events, hasMore } = await feed.listBefore(account.id, before, 500)
      expect(hasMore).toBe(before !== null)
      if (events.length === 0) break
      seen.unshift(...events.map(({ sequence }) => sequence))
      before = events[0]?.sequence ?? 0n
    }
    expect(seen).toEqual(Array.from({ length: Number(last) }, (_, index) => BigInt(index + 1)))
    const beyond = await feed.listBefore(account.id, last + 9n, 2)
    expect(beyond).toMatchObject({ next: last, hasMore: false })
  })

  it("is the account's own", async () => {
    const other = await bench.newAccount()
    expect(await feed.list(other.id, { after: 0n, limit: 10 })).toEqual({
      events: [],
      next: 0n,
      hasMore: false,
    })
  })

  it('begins with the oldest that is kept', async () => {
    await bench.database.query('delete from events where reseller_id = $1 and sequence = 1', [account.id])
    expect(await numbersAfter(0n, 2)).toEqual({ events: [2, 3], next: 3n, hasMore: true })
    const back = await feed.listBefore(account.id, 4n, 5)
    expect(back.events.map(({ sequence }) => sequence)).toEqual([2n, 3n])
  })

  it('keeps the number of an event of which nothing else is left', async () => {
    await bench.database.query('delete from account_catalog_events where reseller_id = $1', [account.id])
    const page = await feed.list(account.id, { after: 1n, limit: 2 })
    expect(page.events).toMatchObject([
      { sequence: 2n, event: undefined },
      { sequence: 3n, event: undefined },
    ])
  })
})
