import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { offerSample, offersOf, supplierWith } from '../../testing/providers/offers.ts'
import { STEADY_CLOCK } from '../../testing/steady-clock.ts'
import { createAlerts, listAlerts } from '../alerts/core/service.ts'
import { EMPTY_STATE } from '../catalog/model/state.rules.ts'
import type { SupplierOffer } from '../providers/port/types.ts'
import { startReadingOffers } from './jobs.ts'
import { listProposalRows, listSyncRows, writeSchedule } from './sql.ts'
import { readDuePages, startDueSyncs, startSync } from './sync.service.ts'

let test: TestDatabase
const supplier = supplierWith('acme')

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.database.query('truncate provider_connections, operator_alerts cascade')
  await map({ NOVA: { by_amount: { '5.00': 'N5', '10.00': 'N10' } } })
  supplier.pages = []
})

/** Connects the supplier with these products. */
async function map(products: object): Promise<void> {
  await test.database.query(
    `insert into provider_connections (code, kind, name, is_enabled, config, version, created_at, updated_at)
     values ('acme', 'http', 'Acme', true, $1, 1, now(), now())
     on conflict (code) do update set config = excluded.config`,
    [JSON.stringify({ products })],
  )
}

const settings = (database = test.database) => ({
  database,
  leaseClock: STEADY_CLOCK,
  alerts: createAlerts({ database, onRaised: () => {} }),
  providerOf: () => supplier.provider,
})

/** Reads the list from its beginning to its end. */
async function sync(...pages: readonly (readonly SupplierOffer[])[]) {
  supplier.pages = offersOf(...pages)
  await startSync(test.database, 'acme', 'test')
  while ((await readDuePages(settings())) > 0) {
    // The next page is due.
  }
  return latest()
}

async function latest() {
  const [run] = await listSyncRows(test.database, 'acme', 1)
  return run
}

async function proposals(state: 'open' | 'superseded' | null = 'open') {
  const filter = { provider: 'acme', kinds: null, state, afterId: 0n, limit: 1_000 }
  return (await listProposalRows(test.database, filter)).map(({ kind, code }) => `${kind} ${code}`)
}

/** Makes the next page, or the lease of a node that died, due now. */
const goOn = () => test.database.query("update offer_syncs set next_at = now() - interval '1 second'")

const alerts = async () =>
  (await listAlerts(test.database, { limit: 10, withCleared: false })).map(({ kind, text }) => [kind, text])

const N5 = offerSample('N5', { cost: '4.85' })
const N10 = offerSample('N10', { cost: '9.70' })
const NEW = offerSample('X1', { cost: '1.00' })

describe('lists', () => {
  it('a list proposes what nobody sells as new, and what is sold with the cost that nobody took over', async () => {
    expect(await sync([N5, N10], [NEW])).toMatchObject({
      state: 'complete',
      pages: 2,
      offers: 3,
      proposals: 3,
    })
    expect(await proposals()).toEqual(['cost_changed N5', 'cost_changed N10', 'new X1'])
  })

  it('a list that is the same again proposes nothing', async () => {
    await sync([N5, N10, NEW])
    expect(await sync([N5, N10, NEW])).toMatchObject({ state: 'complete', offers: 3, proposals: 0 })
    expect(await proposals(null)).toHaveLength(3)
  })

  it('a list with other costs, states and hours supersedes the proposals of the one before', async () => {
    await sync([N5, N10])
    await sync([{ ...N5, isOpen: false }, offerSample('N10', { cost: '9.90', hours: ['08:00', '22:00'] })])
    expect(await proposals()).toEqual([
      'cost_changed N5',
      'closed N5',
      'cost_changed N10',
      'hours_changed N10',
    ])
    expect(await proposals('superseded')).toEqual(['cost_changed N10'])
  })

  it('a complete list proposes that an offer is gone, and takes that back when it returns', async () => {
    await sync([N5, N10], [NEW])
    await sync([N5])
    expect(await proposals()).toEqual(['cost_changed N5', 'gone N10'])
    await sync([N5, N10])
    expect(await proposals()).toEqual(['cost_changed N5', 'cost_changed N10'])
  })

  it('an empty list marks nothing as gone, and an operator is told', async () => {
    await sync([N5, N10])
    expect(await sync([])).toMatchObject({ state: 'complete', offers: 0 })
    expect(await proposals()).toEqual(['cost_changed N5', 'cost_changed N10'])
    expect(await alerts()).toMatchObject([['supplier_list', expect.stringContaining('was empty')]])
    await sync([N5, N10])
    expect(await alerts()).toEqual([])
  })

  it('a list with entries that cannot be read marks nothing as gone, unless it is known which they are', async () => {
    await sync([N5, N10])
    supplier.unread = ['entry 3']
    expect(await sync([N5])).toMatchObject({ unread: 1, trouble: expect.stringContaining('1 entries') })
    expect(await proposals()).not.toContain('gone N10')
    supplier.unread = ['N10']
    expect(await sync([N5])).toMatchObject({ unread: 1, trouble: null })
    expect(await proposals()).not.toContain('gone N10')
    supplier.unread = []
  })

  it('a code that is listed twice is taken as it stood first', async () => {
    await sync([N5], [offerSample('N5', { cost: '1.00' })])
    expect(await sync([N5])).toMatchObject({ proposals: 0 })
  })

  it('a list of thousands of offers is read page by page', async () => {
    const pages = Array.from({ length: 3 }, (_, page) =>
      Array.from({ length: 1_000 }, (__, index) => offerSample(`B${page}-${index}`, { cost: '2.00' })),
    )
    expect(await sync(...pages)).toMatchObject({ pages: 3, offers: 3_000, proposals: 3_000 })
    expect(await sync(...pages)).toMatchObject({ offers: 3_000, proposals: 0 })
  })
})

describe('a list without its end', () => {
  it('a list that is cut off marks nothing as gone, and another node reads on from where it was', async () => {
    await sync([N5, N10], [NEW])
    supplier.pages = [...offersOf([N5], [N10]).slice(0, 1), 'HTTP 503']
    await startSync(test.database, 'acme', 'test')
    expect(await readDuePages(settings())).toBe(1)
    expect(await readDuePages(settings())).toBe(1)
    expect(await readDuePages(settings())).toBe(0)
    expect(await latest()).toMatchObject({ state: 'running', pages: 1, trouble: 'page 2: HTTP 503' })
    expect(await proposals()).not.toContain('gone N10')
    supplier.pages = offersOf([N5], [N10])
    supplier.asked.length = 0
    await goOn()
    expect(await readDuePages(settings(test.openAnother()))).toBe(1)
    expect(supplier.asked).toEqual(['1'])
    expect(await latest()).toMatchObject({ state: 'complete', pages: 2, trouble: null })
    expect(await proposals()).toEqual(['cost_changed N5', 'cost_changed N10'])
  })

  it('a list that hangs keeps no other waiting, and is given back when the node stops', async () => {
    await test.database.query(
      `insert into provider_connections (code, kind, name, is_enabled, config, version, created_at, updated_at)
       values ('hanging', 'http', 'Hanging', true, '{"products": {}}', 1, now(), now())`,
    )
    const catalogue = { readPage: () => new Promise<never>(() => {}) }
    const hanging = { ...supplier.provider, code: 'hanging', catalogue }
    supplier.pages = offersOf([N5], [N10], [NEW])
    await startSync(test.database, 'hanging', 'test')
    await startSync(test.database, 'acme', 'test')
    const reading = startReadingOffers({
      ...settings(),
      providerOf: (code) => (code === 'hanging' ? hanging : supplier.provider),
      catalog: { state: () => EMPTY_STATE },
      everyMs: 10,
      onProblem: (error) => expect.unreachable(String(error)),
    })
    await vi.waitFor(
      async () => expect(await latest()).toMatchObject({ state: 'complete', pages: 3 }),
      30_000,
    )
    await reading.stop()
    expect(await listSyncRows(test.database, 'hanging', 1)).toMatchObject([{ state: 'running', pages: 0 }])
  })

  it('a page that is claimed while the node stops is given back, although its supplier hangs', async () => {
    await startSync(test.database, 'acme', 'test')
    const catalogue = { readPage: () => new Promise<never>(() => {}) }
    const hanging = { ...supplier.provider, catalogue }
    await readDuePages({ ...settings(), providerOf: () => hanging, stop: AbortSignal.abort() })
    expect(await latest()).toMatchObject({ state: 'running', pages: 0 })
    await goOn()
    expect(await readDuePages(settings())).toBe(1)
  })

  it('a list that stays away ends as failed, and an operator is told', async () => {
    await sync([N5, N10])
    supplier.pages = ['HTTP 503']
    await startSync(test.database, 'acme', 'test')
    await test.database.query("update offer_syncs set started_at = now() - interval '2 days'")
    await readDuePages(settings())
    expect(await latest()).toMatchObject({ state: 'failed' })
    expect(await alerts()).toMatchObject([['supplier_list', 'acme: page 1: HTTP 503']])
    expect(await proposals()).toEqual(['cost_changed N5', 'cost_changed N10'])
  })

  it('a page that leads to itself ends the reading', async () => {
    const [page] = offersOf([N5], [N10])
    supplier.pages = [page ?? 'none', { ...(page as object), next: '1' } as never]
    await startSync(test.database, 'acme', 'test')
    await readDuePages(settings())
    await readDuePages(settings())
    expect(await latest()).toMatchObject({ state: 'failed', trouble: expect.stringContaining('same page') })
  })
})

describe('readings', () => {
  it('one supplier has one reading at a time', async () => {
    const [first, second] = await Promise.all([
      startSync(test.database, 'acme', 'one'),
      startSync(test.database, 'acme', 'two'),
    ])
    expect(first.sync.id).toBe(second.sync.id)
    expect([first.isNew, second.isNew].sort()).toEqual([false, true])
  })

  it('a page is given to one node, and what that one reads after its lease is dropped', async () => {
    supplier.pages = offersOf([N5], [N10])
    await startSync(test.database, 'acme', 'test')
    supplier.hold()
    const slow = readDuePages(settings())
    await supplier.isAsked()
    expect(await readDuePages(settings(test.openAnother()))).toBe(0)
    await goOn()
    expect(await readDuePages(settings(test.openAnother()))).toBe(1)
    supplier.letGo()
    await slow
    expect(await latest()).toMatchObject({ pages: 1, offers: 1 })
  })

  it('two pages have the time between them that the supplier wants', async () => {
    supplier.pages = offersOf([N5], [N10])
    supplier.waitMs = 60_000
    await startSync(test.database, 'acme', 'test')
    expect(await readDuePages(settings())).toBe(1)
    expect(await readDuePages(settings())).toBe(0)
    supplier.waitMs = 0
    await goOn()
    expect(await readDuePages(settings())).toBe(1)
  })

  it('a schedule starts one reading for all nodes', async () => {
    await test.database.transaction((tx) => writeSchedule(tx, 'acme', 6))
    await Promise.all([startDueSyncs(test.database), startDueSyncs(test.openAnother())])
    expect(await listSyncRows(test.database, 'acme', 10)).toMatchObject([{ startedBy: 'schedule' }])
  })
})
