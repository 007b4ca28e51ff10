import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { Account, CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { makeBillers, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { withStatementHooks } from '../../../testing/payments/payments.ts'
import { applyBase } from '../edit/base.service.ts'
import type { AccountEvent } from './events.types.ts'
import { expandChanges } from './jobs.ts'
import { createCatalogReplay } from './replay.service.ts'

let bench: CatalogBench
let one: Account
let gold: Account

const BILLERS = 1_300

beforeAll(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
  const catalog = await bench.openNode()
  const expand = () => expandChanges({ database: bench.database, catalog })
  await expand()
  one = await bench.newAccount()
  gold = await bench.newAccount('GOLD')
  await applyBase(bench.database, { options: makeBillers(BILLERS) }, 'test')
  await expand()
  // Some billers change, some disappear and some appear, in several sets.
  const listed = makeBillers(BILLERS).map((biller, index) => ({
    ...biller,
    label: index % 3 === 0 ? `${biller.label} new` : biller.label,
    isActive: index % 7 !== 0,
  }))
  const products = [sampleProduct({ note: 'New' })]
  await applyBase(bench.database, { options: listed, products }, 'test')
  await expand()
})
afterAll(() => bench.close())

function positionsOf(account: Account, events: readonly AccountEvent[]) {
  return events.map(({ version, position }) => ({ resellerId: account.id, version, position }))
}

it('reads events by their position in the order of the account, wherever a page begins and ends', async () => {
  const replay = createCatalogReplay(bench.database)
  for (const account of [one, gold]) {
    const all = await bench.eventsOf(account)
    expect(all.length).toBeGreaterThan(BILLERS)
    expect(all.some(({ type }) => type === 'option.deleted')).toBe(true)
    for (const [from, to] of [
      [0, all.length],
      [0, 1],
      [490, 520],
      [BILLERS - 5, BILLERS + 20],
      [all.length - 150, all.length],
    ] as const) {
      const some = all.slice(from, to)
      expect(await replay.readOrdered(positionsOf(account, some))).toEqual(some)
    }
  }
})

it('counts a change once: a further page reads no more than its own events', async () => {
  const statements: number[] = []
  let count = 0
  const replay = createCatalogReplay(
    withStatementHooks(bench.database, {
      before: () => {
        count += 1
      },
    }),
  )
  const positions = positionsOf(one, await bench.eventsOf(one))
  for (const from of [0, 100, 200]) {
    count = 0
    await replay.readOrdered(positions.slice(from, from + 100))
    statements.push(count)
  }
  // The first read asks for the sets, their sizes and the events; later reads do not ask for the sizes.
  expect(statements).toEqual([3, 2, 2])
})

it('a position past the end, in another change or of another account does not exist', async () => {
  const replay = createCatalogReplay(bench.database)
  const all = await bench.eventsOf(one)
  const last = all.at(-1)
  if (last === undefined) throw new Error('there are events')
  const { version, position } = last
  const nobody = { id: one.id + 1_000n } as Account
  expect(
    await replay.readOrdered([
      { resellerId: one.id, version, position: position + 1 },
      { resellerId: one.id, version: version + 1n, position: 1 },
      ...positionsOf(nobody, [last]),
      ...positionsOf(one, [last]),
    ]),
  ).toEqual([undefined, undefined, undefined, last])
})

it('reads events by their position in the stored sets, with the account they are told to', async () => {
  const replay = createCatalogReplay(bench.database)
  const { rows } = await bench.database.query<{
    version: bigint
    set_id: string
    position: number
    id: string
  }>(
    `select e.version, e.set_id, e.position, e.resource_id as id from account_catalog_events t
       join catalog_events e on e.version = t.version and e.set_id = any (t.set_ids)
      where t.reseller_id = $1 and e.resource_id in ('NOVA', 'BILLPAY:biller:B7', 'BILLPAY:biller:B3')
      order by e.version, e.resource_id`,
    [one.id],
  )
  const positions = rows.map(({ version, set_id: setId, position }) => ({
    resellerId: one.id,
    version,
    setId,
    position,
  }))
  const events = await replay.readAtPositions(positions)
  const all = await bench.eventsOf(one)
  const known = (event: AccountEvent | undefined) => event && { ...event, position: 0 }
  expect(events.map(known)).toEqual(
    rows.map(({ version, id }) => known(all.find((event) => event.version === version && event.id === id))),
  )
  expect(events.find((event) => event?.id === 'NOVA')?.data).toMatchObject({ reseller_code: one.account })
  const [position] = positions
  if (position === undefined) throw new Error('there are positions')
  expect(await replay.readAtPositions([{ ...position, position: 99_999 }, position])).toEqual([
    undefined,
    events[0],
  ])
})
