import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  overlayProduct,
  PERCENTAGE,
  RINGGIT,
  sampleCategory,
  sampleGroup,
  sampleOption,
  sampleProduct,
} from '../../../testing/catalog/catalog-samples.ts'
import type { Account, CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { FIXED, makeBillers, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { applyBase } from '../edit/base.service.ts'
import { changeOverlay, removeOverlay } from '../edit/overlays.service.ts'
import type { BaseChange, Catalog, OverlayChange } from '../model/store.types.ts'
import { optionItem } from '../serve/options.view.ts'
import { listAccountEventRows } from './events.sql.ts'
import type { AccountEvent } from './events.types.ts'
import { expandChanges } from './jobs.ts'

let bench: CatalogBench
let node: Catalog
let one: Account
let two: Account
let gold: Account

beforeEach(async () => {
  heard.clear()
  bench = await openCatalogBench()
  await seedBase(bench.database)
  node = await bench.openNode()
  await expand()
  one = await bench.newAccount()
  two = await bench.newAccount()
  gold = await bench.newAccount('GOLD')
})

afterEach(() => bench.close())

const apply = (change: BaseChange) => applyBase(bench.database, change, 'test')
const customise = (account: Account, change: OverlayChange) =>
  changeOverlay(bench.database, account.id, change, 'test')
const expand = () => expandChanges({ database: bench.database, catalog: node, batchAccounts: 2 })

/** Returns the events of an account since the last call. */
const heard = new Map<bigint, number>()
async function receive(account: Account) {
  await expand()
  const all = await bench.eventsOf(account)
  const since = all.slice(heard.get(account.id) ?? 0)
  heard.set(account.id, all.length)
  return since.map(({ type, id, data }) => ({ type, id, data }))
}

async function receiveTypes(account: Account): Promise<string[]> {
  return (await receive(account)).map(({ type, id }) => `${type} ${id}`)
}

it('a change of a product reaches every account as its complete effective state', async () => {
  await customise(two, { products: [overlayProduct({ displayName: 'Nova ku' })] })
  await receive(two)
  await apply({ products: [sampleProduct({ note: 'New' })] })

  const [event] = await receive(one)
  expect(event).toMatchObject({
    type: 'product.updated',
    id: 'NOVA',
    data: {
      product_code: 'NOVA',
      product_category_code: 'PREPAID',
      name: 'Nova',
      display_name: 'Nova',
      note: 'New',
      is_active: true,
      is_hidden: false,
      options_source_type: 'reference',
      denomination_unit_price: 1,
      price_adjustment_type: null,
      price_adjustment_value: null,
      reseller_code: one.account,
      unit_price: '0.985',
      currency: 'MYR',
      discount: { type: 'percentage', value: '1.5%' },
      min_amount: null,
      max_amount: null,
    },
  })
  const [other] = await receive(two)
  expect(other?.data).toEqual({
    ...event?.data,
    display_name: 'Nova ku',
    reseller_code: two.account,
  })
  expect(await receiveTypes(gold)).toEqual(['product.updated NOVA'])
})

it('a product that is switched off for everybody is deleted, and created when it comes back', async () => {
  await apply({ products: [sampleProduct({ isActive: false })] })
  expect(await receive(one)).toEqual([{ type: 'product.deleted', id: 'NOVA', data: null }])
  await apply({ products: [sampleProduct()] })
  expect(await receiveTypes(one)).toEqual(['product.created NOVA'])
})

it('options, categories and groups that are switched off are deleted', async () => {
  await apply({ options: [sampleOption({ isActive: false })] })
  expect(await receive(one)).toEqual([{ type: 'option.deleted', id: 'NOVA:amount:N10', data: null }])
  await apply({ categories: [sampleCategory({ isActive: false })] })
  expect(await receiveTypes(one)).toEqual([
    'product.deleted KITA',
    'product.deleted NOVA',
    'category.deleted PREPAID',
  ])
  await apply({ groups: [sampleGroup({ isActive: false })] })
  expect(await receiveTypes(one)).toEqual([
    'product.deleted BILLPAY',
    'category.deleted BILLS',
    'group.deleted MOBILE',
  ])
})

it('an account that loses the right to buy keeps the product as inactive, with its last prices', async () => {
  await apply({ permissions: [{ resellerId: one.id, productCode: 'NOVA', isAllowed: false }] })
  const events = await receive(one)
  expect(events.map(({ type, id }) => `${type} ${id}`)).toEqual(['product.updated NOVA'])
  const last = { unit_price: '0.985', currency: 'MYR', discount: { type: 'percentage', value: '1.5%' } }
  expect(events[0]?.data).toMatchObject({ is_active: false, ...last })
  expect(await receiveTypes(two)).toEqual([])

  await apply({ prices: [{ levelCode: 'GOLD', productCode: 'KITA', price: null }] })
  const [lost] = await receive(gold)
  expect(lost).toMatchObject({ type: 'product.updated', data: { product_code: 'KITA', is_active: false } })
  expect(lost?.data?.unit_price).toEqual(expect.any(String))
})

it('events about a product whose price was taken away earlier carry the last one, its options too', async () => {
  await apply({ prices: [{ levelCode: 'STANDARD', productCode: 'NOVA', price: null }] })
  await receive(one)
  await apply({
    products: [sampleProduct({ name: 'Nova again' })],
    options: [sampleOption({ label: 'Ten' })],
  })
  const [product, option] = await receive(one)
  expect(product?.data).toMatchObject({ display_name: 'Nova again', is_active: false, unit_price: '0.985' })
  expect(option?.data).toMatchObject({ label: 'Ten', cost: { amount: '9.85', currency: 'MYR' } })
  await apply({ prices: [{ levelCode: 'STANDARD', productCode: 'NOVA', price: FIXED }] })
  expect((await receive(one))[0]?.data).toMatchObject({ is_active: true, unit_price: '-0.5' })
})

it('a new wholesale price is told to its level, with the prices the options operation shows', async () => {
  await apply({ prices: [{ levelCode: 'STANDARD', productCode: 'NOVA', price: FIXED }] })
  const events = await receive(one)
  expect(events.map(({ type, id }) => `${type} ${id}`)).toEqual([
    'product.updated NOVA',
    'option.updated NOVA:amount:N10',
    'option.updated NOVA:amount:N30',
  ])
  expect(events[0]?.data).toMatchObject({
    unit_price: '-0.5',
    discount: { type: 'fixed', value: 'MYR 0.50' },
  })
  const product = node.snapshotFor(one).products.get('NOVA')
  const field = product?.product.fields.find((each) => each.id === 'amount')
  const option = product?.findOption('amount', 'N10')
  if (product === undefined || field === undefined || option === undefined) throw new Error('is there')
  const { price, cost, rrp, denomination } = optionItem(product, field, option)
  expect(events[1]?.data).toMatchObject({ price, cost, rrp, denomination })
  expect(cost?.amount).toBe('9.50')
  expect(await receiveTypes(gold)).toEqual([])
})

it('a biller is told without prices and without limits, under an id that ends with its code', async () => {
  await apply({ options: makeBillers(1, { code: 'tnb:01', label: 'Volt' }) })
  expect(await receive(one)).toEqual([
    {
      type: 'option.created',
      id: 'BILLPAY:biller:tnb:01',
      data: {
        product_code: 'BILLPAY',
        field_id: 'biller',
        code: 'tnb:01',
        label: 'Volt',
        description: null,
        display_order: 0,
        is_active: true,
        denomination: null,
        price: null,
        cost: null,
        rrp: null,
        min_amount: null,
        max_amount: null,
      },
    },
  ])
})

it('a customisation is told to its account alone, and its removal with the base view', async () => {
  await customise(one, {
    groups: [{ code: 'MINE', isOwn: true, name: 'My group', iconUrl: null, displayOrder: null }],
    products: [overlayProduct({ displayName: 'Nova ku', adjustment: { type: 'fixed', value: 5_000n } })],
    options: [{ productCode: 'NOVA', fieldId: 'amount', code: 'N30', isEnabled: false, rrp: null }],
  })
  const events = await receive(one)
  expect(events.map(({ type, id }) => `${type} ${id}`)).toEqual([
    'group.created MINE',
    'product.updated NOVA',
    'option.updated NOVA:amount:N10',
    'option.updated NOVA:amount:N30',
  ])
  expect(events[1]?.data).toMatchObject({ price_adjustment_type: 'fixed', price_adjustment_value: 0.5 })
  expect(events[2]?.data).toMatchObject({ price: { amount: '10.50', currency: 'MYR' }, is_active: true })
  expect(events[3]?.data).toMatchObject({ is_active: false })
  expect(await receiveTypes(two)).toEqual([])

  await removeOverlay(bench.database, one.id, 'test')
  const back = await receive(one)
  expect(back.map(({ type, id }) => `${type} ${id}`)).toEqual([
    'product.updated NOVA',
    'option.updated NOVA:amount:N10',
    'option.updated NOVA:amount:N30',
    'group.deleted MINE',
  ])
  expect(back[0]?.data).toMatchObject({ display_name: 'Nova', price_adjustment_type: null })
})

it('an account that moves to another level is told of everything that costs otherwise there', async () => {
  await apply({ prices: [{ levelCode: 'GOLD', productCode: 'NOVA', price: FIXED }] })
  expect(await receiveTypes(one)).toEqual([])
  await bench.moveToLevel(one, 'GOLD')
  expect(await receiveTypes(one)).toEqual([
    'product.updated NOVA',
    'option.updated NOVA:amount:N10',
    'option.updated NOVA:amount:N30',
  ])
  expect(await receiveTypes(two)).toEqual([])
})

it('changes of one commit are told together, each resource once and as it is after all of them', async () => {
  await apply({
    groups: [sampleGroup({ code: 'GAMES', name: 'Games' })],
    categories: [sampleCategory({ code: 'CREDIT', groupCode: 'GAMES', name: 'Credit' })],
    products: [sampleProduct({ code: 'GEMS', name: 'Gems', categoryCode: 'CREDIT' })],
    options: [sampleOption({ productCode: 'GEMS', code: 'G60', denomination: 60n * RINGGIT })],
    prices: [{ levelCode: 'STANDARD', productCode: 'GEMS', price: PERCENTAGE }],
  })
  const events = await receive(one)
  expect(events.map(({ type, id }) => `${type} ${id}`)).toEqual([
    'group.created GAMES',
    'category.created CREDIT',
    'product.created GEMS',
    'option.created GEMS:amount:G60',
  ])
  expect(events[2]?.data).toMatchObject({ is_active: true, unit_price: '0.985' })
  expect(events[3]?.data).toMatchObject({ cost: { amount: '59.10' } })
  expect((await receive(gold))[2]?.data).toMatchObject({ is_active: false, unit_price: null })
})

it('an account that sees no difference is told nothing', async () => {
  await customise(one, { products: [overlayProduct({ displayOrder: 9 })] })
  await receive(one)
  await apply({ products: [sampleProduct({ displayOrder: 5 })] })
  expect(await receiveTypes(one)).toEqual([])
  expect(await receiveTypes(two)).toEqual(['product.updated NOVA'])
})

it('two changes that hide each other when both are there are still told', async () => {
  // The reseller sets the same order that the base got a moment before: in the final state, neither change
  // shows.
  await apply({ products: [sampleProduct({ displayOrder: 9 })] })
  await customise(one, { products: [overlayProduct({ displayOrder: 9 })] })
  expect((await receive(one)).map(({ type, data }) => [type, data?.display_order])).toEqual([
    ['product.updated', 9],
  ])
})

it('a price of a level that the account has left since is told as it was then', async () => {
  await apply({ prices: [{ levelCode: 'STANDARD', productCode: 'KITA', price: FIXED }] })
  await bench.moveToLevel(one, 'GOLD')
  await apply({ prices: [{ levelCode: 'STANDARD', productCode: 'KITA', price: PERCENTAGE }] })
  await bench.moveToLevel(one, 'STANDARD')
  const prices = (await receive(one)).map(({ id, data }) => [id, data?.unit_price])
  expect(prices).toEqual([
    ['KITA', '-0.5'],
    ['KITA', '0.985'],
  ])
})

it('an account made after a change is told nothing of it', async () => {
  await apply({ products: [sampleProduct({ note: 'Before' })] })
  const { rows } = await bench.database.query<{ version: bigint }>(
    'select max(version) as version from catalog_changes',
  )
  // Times are compared by the millisecond, and both writes may fall into the same one.
  await bench.database.query(
    `update catalog_changes set created_at = created_at - interval '1 millisecond' where version = $1`,
    [rows[0]?.version],
  )
  const late = await bench.newAccount()
  expect(await receiveTypes(late)).toEqual([])
  expect(await receiveTypes(one)).toEqual(['product.updated NOVA'])
  await apply({ products: [sampleProduct({ note: 'After' })] })
  expect(await receiveTypes(late)).toEqual(['product.updated NOVA'])
})

it('events are stored once for all accounts that see the same, and apart only where they differ', async () => {
  const billers = (label: string) => makeBillers(1_200, { label })
  await apply({ options: billers('First') })
  await receive(one)
  const option = { productCode: 'BILLPAY', fieldId: 'biller', code: 'B700', isEnabled: false, rrp: null }
  await customise(one, { options: [option] })
  expect(await receiveTypes(one)).toEqual(['option.updated BILLPAY:biller:B700'])

  const { version } = await apply({ options: billers('Second') })
  await expand()
  const { rows } = await bench.database.query<{ reseller_id: bigint; set_ids: string[] }>(
    'select reseller_id, set_ids from account_catalog_events where version = $1 order by reseller_id',
    [version],
  )
  const [mine, theirs, golden] = rows.map((row) => row.set_ids)
  expect(mine?.map((id, index) => id === theirs?.[index])).toEqual([true, false, true])
  expect(golden).toEqual(theirs)
  const stored = await bench.database.query('select 1 from catalog_events where version = $1', [version])
  expect(stored.rows).toHaveLength(1_200 + 500)

  const told = await receive(one)
  expect(told.map(({ id }) => id)).toEqual(billers('').map(({ code }) => `BILLPAY:biller:${code}`))
  expect(told.filter(({ data }) => data?.is_active === false).map(({ data }) => data?.code)).toEqual(['B700'])
})

it('the events of an account can be read page by page', async () => {
  await apply({ options: makeBillers(30) })
  await apply({
    categories: [sampleCategory({ code: 'BILLS', name: 'Bills', displayOrder: 2, isActive: false })],
  })
  await expand()
  const all = await bench.eventsOf(one)
  expect(all.map(({ type }) => type).slice(-2)).toEqual(['product.deleted', 'category.deleted'])
  const paged: AccountEvent[] = []
  for (;;) {
    const after = paged.at(-1) ?? { version: 0n, position: 0 }
    const page = await listAccountEventRows(bench.database, one.id, { after, limit: 7 })
    if (page.length === 0) break
    paged.push(...page)
  }
  expect(paged).toEqual(all)
})

it('nodes that expand at the same time tell everything once', async () => {
  for (const note of ['a', 'b', 'c']) await apply({ products: [sampleProduct({ note })] })
  const nodes = await Promise.all([node, bench.openNode(), bench.openNode()])
  const databases = nodes.map(() => bench.openAnother())
  const deadlineMs = performance.now() + 30_000
  const isPending = async () => {
    const { rows } = await bench.database.query('select 1 from catalog_changes where expanded_at is null')
    return rows.length > 0
  }
  while (await isPending()) {
    expect(performance.now()).toBeLessThan(deadlineMs)
    await Promise.all(
      nodes.map((catalog, index) =>
        expandChanges({ database: databases[index] ?? bench.database, catalog, batchAccounts: 1 }),
      ),
    )
  }
  for (const account of [one, two, gold]) {
    const notes = (await bench.eventsOf(account)).map(({ data }) => data?.note)
    expect(notes).toEqual(['a', 'b', 'c'])
  }
})
