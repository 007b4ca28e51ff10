import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Catalog, Demo, DemoNode, Item, Reader } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import { makeDirectory, until } from '../../service.ts'

let demo: Demo
let other: DemoNode
let first: Reader
let second: Reader
/** Both resellers at both nodes. */
let everywhere: { node: Reader[] }[]
let directory: string
/** Base catalog as it was seeded, in the form that an import takes. */
let exported: Rows

type Row = Record<string, unknown>
type Rows = Record<string, Row[]>

beforeAll(async () => {
  // Addresses of pictures begin with the service's address, which is the same at all nodes if it is configured.
  demo = await openDemo({ WARUNG_PUBLIC_URL: 'https://api.example.com' })
  other = await demo.startAnother()
  first = demo.first
  second = demo.second
  everywhere = [{ node: [demo.first, demo.second] }, { node: [other.first, other.second] }]
  directory = await makeDirectory()
  const file = join(directory, 'export.json')
  await demo.service.warungd('catalog', 'export', '--file', file)
  exported = JSON.parse(await readFile(file, 'utf8')) as Rows
})

afterAll(() => demo?.end())

/** Imports changed rows of the export, as an operator does. */
async function importRows(changes: Rows): Promise<void> {
  const rows = Object.entries(changes).map(([kind, given]) => [
    kind,
    given.map((change) => ({ ...rowOf(kind, change), ...change })),
  ])
  const file = join(directory, 'change.json')
  await writeFile(file, JSON.stringify(Object.fromEntries(rows)))
  await demo.service.warungd('catalog', 'import', '--file', file)
}

function rowOf(kind: string, change: Row): Row {
  const row = exported[kind]?.find((each) => each.code === change.code && each.product === change.product)
  if (row === undefined) throw new Error(`${kind} has no row for ${JSON.stringify(change)}`)
  return row
}

function overlay(verb: 'set' | 'remove', reseller: Reader, ...options: string[]) {
  return demo.service.warungd('overlay', verb, '--reseller', reseller.account, ...options)
}

/** Waits at both nodes until the reader's answers are as wanted. */
async function untilEverywhere<T>(
  what: string,
  index: 0 | 1,
  read: (reader: Reader) => Promise<T>,
  wanted: (value: T) => boolean,
): Promise<void> {
  await Promise.all(
    everywhere.map(async ({ node }) => {
      const reader = node[index]
      if (reader === undefined) throw new Error('there are two readers at each node')
      await until(what, async () => wanted(await read(reader)))
    }),
  )
}

async function lastUpdated(reader: Reader): Promise<string> {
  return (await reader.catalog()).last_updated
}

function nameOf(catalog: Catalog, code: string): string | undefined {
  return catalog.products[code]?.name
}

async function itemOf(reader: Reader, product: string, field: string, code: string) {
  const { items } = await reader.options(`product_code=${product}&field_id=${field}`)
  return items.find((item) => item.code === code)
}

function untilNamed(index: 0 | 1, code: string, name: string | undefined): Promise<void> {
  return untilEverywhere(
    `${code} is called ${name}`,
    index,
    (reader) => reader.catalog(),
    (catalog) => nameOf(catalog, code) === name,
  )
}

function untilItem(
  index: 0 | 1,
  [product, field, code]: [string, string, string],
  wanted: (item: Item | undefined) => boolean,
): Promise<void> {
  return untilEverywhere(
    `${code} is as wanted`,
    index,
    (reader) => itemOf(reader, product, field, code),
    wanted,
  )
}

describe('last_updated', () => {
  it('is the same at both nodes, and older than now', async () => {
    for (const [mine, theirs] of [
      [first, other.first],
      [second, other.second],
    ] as const) {
      const updated = await lastUpdated(mine)
      expect(await lastUpdated(theirs)).toBe(updated)
      expect(Date.parse(updated)).toBeLessThanOrEqual(Date.now())
    }
  })

  it('stands in answers that are the same to the byte, and have the same tag, whichever node gives them', async () => {
    for (const path of [
      '/v2/catalog?include_inactive=true',
      '/v2/options?product_code=BILLPAY&field_id=biller&limit=25000',
      '/v2/options?product_code=BAYU&field_id=amount',
      '/v2/product-list',
    ]) {
      const [here, there] = await Promise.all([second.get(path), other.second.get(path)])
      expect(there.text === here.text, path).toBe(true)
      expect(there.headers.etag).toBe(here.headers.etag)
    }
  })

  it.each([
    ['product', { products: [{ code: 'NOVA', name: 'Nova One' }] }],
    ['category', { categories: [{ code: 'PREPAID_RELOAD', name: 'Reload' }] }],
    ['group', { groups: [{ code: 'MOBILE', name: 'Phones' }] }],
  ])('moves on for everybody when a %s changes', async (_, rows) => {
    const before = [await lastUpdated(first), await lastUpdated(second)] as const
    await importRows(rows)
    for (const index of [0, 1] as const) {
      await untilEverywhere('it has moved', index, lastUpdated, (now) => now > before[index])
    }
  })

  it('stays when an option changes, although the option shows the change', async () => {
    const before = await lastUpdated(first)
    const option = { product: 'NOVA', code: 'NOVA30', label: 'Thirty ringgit' }
    await importRows({ options: [option] })
    await untilItem(0, ['NOVA', 'amount', 'NOVA30'], (item) => item?.label === 'Thirty ringgit')
    expect(await lastUpdated(first)).toBe(before)
  })

  it('stays when a wholesale price changes, although catalogue and options show the change', async () => {
    const before = await lastUpdated(first)
    await demo.service.warungd(
      'catalog',
      'price',
      ...['--level', 'STANDARD', '--product', 'NOVA', '--percentage', '0.9'],
    )
    await untilItem(0, ['NOVA', 'amount', 'NOVA30'], (item) => item?.cost?.amount === '27.00')
    const catalog = await first.catalog()
    expect(catalog.products.NOVA?.pricing.unit_price).toBe('0.9')
    expect(catalog.last_updated).toBe(before)
    expect((await itemOf(second, 'NOVA', 'amount', 'NOVA30'))?.cost?.amount).toBe('28.95')
  })

  it('moves on for one account when that account customises something, and stays for the others', async () => {
    const before = [await lastUpdated(first), await lastUpdated(second)]
    await overlay('set', first, '--product', 'KITA', '--name', 'Kita of ours')
    await untilNamed(0, 'KITA', 'Kita of ours')
    const after = await lastUpdated(first)
    expect(after > String(before[0])).toBe(true)
    expect(await lastUpdated(second)).toBe(before[1])
    await overlay('set', first, '--product', 'KITA', '--off')
    await untilNamed(0, 'KITA', undefined)
    expect((await lastUpdated(first)) > after).toBe(true)
  })

  it('moves on, not back, when a customisation is taken back', async () => {
    const before = await lastUpdated(first)
    await overlay('remove', first)
    await untilNamed(0, 'KITA', 'Kita Prepaid')
    expect((await lastUpdated(first)) > before).toBe(true)
  })

  it('moves on when the account may buy something else, and stays for the others', async () => {
    const before = [await lastUpdated(first), await lastUpdated(second)]
    const permission = ['--reseller', first.account, '--product', 'PARKGO']
    await demo.service.warungd('catalog', 'forbid', ...permission)
    await untilNamed(0, 'PARKGO', undefined)
    const denied = await lastUpdated(first)
    expect(denied > String(before[0])).toBe(true)
    await demo.service.warungd('catalog', 'permit', ...permission)
    await untilNamed(0, 'PARKGO', 'Park Go Coupons')
    expect((await lastUpdated(first)) > denied).toBe(true)
    expect(await lastUpdated(second)).toBe(before[1])
  })

  it('stays when an import says nothing new', async () => {
    const before = await lastUpdated(first)
    await importRows({ products: [{ code: 'NOVA', name: 'Nova One' }] })
    await importRows({ options: [{ product: 'NOVA', code: 'NOVA30', label: 'Thirty' }] })
    await untilItem(0, ['NOVA', 'amount', 'NOVA30'], (item) => item?.label === 'Thirty')
    expect(await lastUpdated(first)).toBe(before)
  })
})

describe('a change beside the running service', () => {
  it('gives the catalogue another tag', async () => {
    const tag = String((await first.get('/v2/catalog')).headers.etag)
    await overlay('set', first, '--product', 'KITA', '--name', 'Kita again')
    const ask = (reader: Reader) => reader.get('/v2/catalog', { 'If-None-Match': tag })
    await untilEverywhere('the tag is outdated', 0, ask, (answer) => answer.status === 200)
    await overlay('remove', first)
    await untilNamed(0, 'KITA', 'Kita Prepaid')
  })

  it('empties a static list whose options the account switched off, one by one', async () => {
    for (const code of ['BAYUPIN10', 'BAYUPIN30', 'BAYUPIN50']) {
      await overlay('set', second, '--product', 'BAYUPIN', '--option', code, '--off')
    }
    const list = 'product_code=BAYUPIN&field_id=amount'
    await untilEverywhere(
      'the list is empty',
      1,
      (reader) => reader.options(list),
      ({ items, meta }) => items.length === 0 && meta.total === 0 && meta.last_page === 1,
    )
    expect((await second.options(`${list}&is_active=false`)).items.length).toBe(3)
    expect((await first.options(list)).items.length).toBe(3)
  })

  it('withdraws a product, its category and its group with the group, and brings them back', async () => {
    await importRows({ groups: [{ code: 'EDUCATION', is_active: false }] })
    for (const index of [0, 1] as const) {
      await untilNamed(index, 'EDULOAN', undefined)
      const reader = [first, second][index] ?? first
      const { tree, products } = await reader.catalog('include_inactive=true')
      expect(tree.groups.map((group) => group.id)).not.toContain('EDUCATION')
      expect(products.ILMUFEE).toBeUndefined()
      const asked = await reader.get('/v2/options?product_code=EDULOAN&field_id=loan_account')
      expect(asked.status).toBe(404)
    }
    await importRows({ groups: [{ code: 'EDUCATION', is_active: true }] })
    for (const index of [0, 1] as const) await untilNamed(index, 'EDULOAN', 'Edu Loan')
  })

  it('shows a biller’s limits in another currency as soon as the product has it', async () => {
    const query = 'product_code=BILLPAY&field_id=biller'
    const [biller] = (await first.options(query)).items
    expect(biller?.min_amount).toEqual({ amount: '1.00', currency: 'MYR' })
    const { fields } = rowOf('products', { code: 'BILLPAY' }) as { fields: Row[] }
    const inDollars = fields.map((field) => ('currency' in field ? { ...field, currency: 'SGD' } : field))
    await importRows({ products: [{ code: 'BILLPAY', fields: inDollars }] })
    await untilEverywhere(
      'the limits are in SGD',
      0,
      (reader) => reader.options(query),
      ({ items }) => items[0]?.min_amount?.currency === 'SGD',
    )
  })
})

describe('a change of many products at once', () => {
  it('is never seen as a mixture, and an option list is never older than the catalogue before it', async () => {
    const codes = Object.keys((await first.catalog()).products).filter((code) => code !== 'NOVA')
    let isDone = false
    const seen = everywhere.map((): string[] => [])
    const watching = everywhere.map(({ node }, index) =>
      watch(node[0] ?? first, codes, seen[index] ?? [], () => isDone),
    )
    // A slow reader sees a round too before the next one begins.
    const isSeen = (round: string) =>
      until(`${round} is seen`, async () => seen.every((rounds) => rounds.includes(round)))
    const changing = changeInRounds(codes, isSeen).finally(() => {
      isDone = true
    })
    await Promise.all([...watching, changing])
    for (const rounds of seen) expect(rounds).toEqual(ROUNDS)
  })
})

async function changeInRounds(codes: string[], isSeen: (round: string) => Promise<unknown>): Promise<void> {
  await isSeen('usual')
  for (const round of ROUNDS.slice(1)) {
    const options = [5, 10, 30, 50, 100].map((value) => ({
      product: 'NOVA',
      code: `NOVA${value}`,
      label: round,
    }))
    await importRows({ products: codes.map((code) => ({ code, name: `${code} ${round}` })), options })
    await untilNamed(0, 'KITA', `KITA ${round}`)
    await isSeen(round)
  }
}

/** Reads the catalog again and again; notes the rounds in the order in which they were seen. */
async function watch(reader: Reader, codes: string[], seen: string[], isDone: () => boolean): Promise<void> {
  for (let last = false; !last; ) {
    last = isDone()
    const catalog = await reader.catalog()
    const { items } = await reader.options('product_code=NOVA&field_id=amount')
    const rounds = new Set(codes.map((code) => roundOf(nameOf(catalog, code))))
    const labels = new Set(items.map((item) => roundOf(item.label)))
    expect([...rounds]).toHaveLength(1)
    expect([...labels]).toHaveLength(1)
    const [round = ''] = rounds
    const [label = ''] = labels
    expect(ROUNDS.indexOf(label)).toBeGreaterThanOrEqual(ROUNDS.indexOf(round))
    if (seen.at(-1) !== round) seen.push(round)
  }
}

const ROUNDS = ['usual', 'round 1', 'round 2']

function roundOf(text: string | undefined): string {
  return /round \d$/.exec(text ?? '')?.[0] ?? 'usual'
}
