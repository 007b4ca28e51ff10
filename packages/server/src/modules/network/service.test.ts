import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatDayFirst } from '../../lib/dates.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { FIRST, SECOND } from '../../testing/payments/judging.ts'
import { createScriptedProvider, providersOf, SUCCEEDED } from '../../testing/providers/scripted-provider.ts'
import type { BaseCatalog, Snapshot } from '../catalog/model/types.ts'
import type { Providers } from '../providers/registry.service.ts'
import { addNotice, endNotice } from './notices.service.ts'
import type { Network, NetworkSettings } from './service.ts'
import { openNetwork } from './service.ts'

const READER = { id: 1n, priceLevel: 'STANDARD' }
const OTHER = { id: 2n, priceLevel: 'BORNEO' }
const BASE = {
  products: [...FIRST.products.values()].map(({ product }) => product),
  categories: [{ code: 'PREPAID_RELOAD' }, { code: 'WATER' }],
} as unknown as BaseCatalog

const catalog = {
  snapshotFor: ({ id }: { id: bigint }) => (id === 1n ? FIRST : SECOND) as Snapshot,
  base: () => BASE,
}

let test: TestDatabase
const opened: Network[] = []

beforeAll(async () => {
  test = await openTestDatabase()
})

afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()))
  await test.close()
})

const healthy = providersOf(createScriptedProvider(SUCCEEDED))

async function open(
  providers: Pick<Providers, 'choose' | 'productHealth'> = healthy,
  settings: Partial<NetworkSettings> = {},
) {
  const network = await openNetwork({
    database: test.database,
    catalog,
    providers,
    nowMs: Date.now,
    // Tests here refresh explicitly, so polling and watching are effectively off.
    pollMs: 60_000,
    watchMs: 60_000,
    ...settings,
  })
  opened.push(network)
  return network
}

type Answer = {
  data: { product_code: string; product_name: string; product_img: string; network_status: string }
  metadata: { status_code: number; last_updated: string }
}

function ask(network: Network, product: string, reader = READER): Answer {
  return JSON.parse(network.statusFor(reader, product).toString()) as Answer
}

/** Waits until the state is checked again: an answer may be a fraction of a second old. */
async function untilStatus(network: Network, product: string, status: string): Promise<Answer> {
  const giveUpAt = Date.now() + 60_000
  while (Date.now() < giveUpAt) {
    const answer = ask(network, product)
    if (answer.data.network_status === status) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${product} never became ${status}`)
}

const NOTICE = { message: 'Down', startsAt: null, endsAt: null, stopsPayments: false, createdBy: 'test' }

it('shows a product as the account sees it, in bytes that are made once', async () => {
  const network = await open()
  const product = FIRST.products.get('NOVA')
  const answer = ask(network, 'NOVA')
  expect(answer).toEqual({
    data: {
      product_code: 'NOVA',
      product_name: product?.name,
      product_img: product?.imageUrl,
      network_status: 'Healthy',
    },
    metadata: { status_code: 200, last_updated: expect.stringMatching(/^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d$/) },
  })
  expect(network.statusFor(READER, 'NOVA')).toBe(network.statusFor(READER, 'NOVA'))
  const renamed = [...SECOND.products.values()].find(
    (each) => each.isPurchasable && each.isOffered && each.name !== each.product.name,
  )
  if (renamed === undefined) throw new Error('the second account renamed nothing')
  expect(ask(network, renamed.product.code, OTHER).data.product_name).toBe(renamed.name)
})

it('knows no product that the account may not buy or that is off for everybody, and every one that it may', async () => {
  const network = await open()
  const notFound = expect.objectContaining({ status: 404, publicText: 'Product not found.' })
  for (const product of ['NOBODY', 'nova', '__proto__', 'OLDONE']) {
    expect(() => network.statusFor(READER, product), product).toThrow(notFound)
  }
  expect(() => network.statusFor(OTHER, 'FD')).toThrow(notFound)
  // Hidden, but an account with access can pay for it.
  expect(ask(network, 'FD').data.network_status).toBe('Healthy')
  const switchedOff = [...SECOND.products.values()].find(
    (each) => each.isOffered && each.isPurchasable && !each.isActive,
  )
  if (switchedOff === undefined) throw new Error('the second account switched nothing off')
  expect(ask(network, switchedOff.product.code, OTHER).data.network_status).toBe('Healthy')
})

it('follows what is measured, and dates a change by when it was seen', async () => {
  let health: 'healthy' | 'interrupted' = 'healthy'
  let nowMs = Date.parse('2026-03-01T00:00:00Z')
  const network = await open({ ...healthy, productHealth: () => health }, { nowMs: () => nowMs })
  expect(ask(network, 'NOVA').metadata.last_updated).toBe('01-03-2026 08:00:00')
  nowMs += 60_000
  health = 'interrupted'
  const broken = await untilStatus(network, 'NOVA', 'Interruption')
  expect(broken.metadata.last_updated).toBe('01-03-2026 08:01:00')
  expect(network.stopsPayments('NOVA')).toBe(false)
  nowMs += 60_000
  health = 'healthy'
  expect((await untilStatus(network, 'NOVA', 'Healthy')).metadata.last_updated).toBe('01-03-2026 08:02:00')
})

it('watches also what nobody asks about', async () => {
  let nowMs = Date.parse('2026-03-01T00:00:00Z')
  let health: 'healthy' | 'interrupted' = 'healthy'
  let looks = 0
  const productHealth = () => {
    looks += 1
    return health
  }
  const network = await open({ ...healthy, productHealth }, { nowMs: () => nowMs, watchMs: 10 })
  const untilLooked = async () => {
    const from = looks
    while (looks < from + 3 * BASE.products.length) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await untilLooked()
  health = 'interrupted'
  await untilLooked()
  nowMs += 3_600_000
  expect(ask(network, 'KITA')).toMatchObject({
    data: { network_status: 'Interruption' },
    metadata: { last_updated: '01-03-2026 08:00:00' },
  })
})

describe('a notice', () => {
  it('a notice on a product interrupts it from the notice’s own time until it is ended', async () => {
    const network = await open()
    const starts = new Date('2026-03-01T10:00:00+08:00')
    const { id } = await addNotice(test.database, BASE, {
      ...NOTICE,
      target: { kind: 'product', code: 'KITA' },
      startsAt: starts,
    })
    await network.refresh()
    const broken = await untilStatus(network, 'KITA', 'Interruption')
    expect(broken.metadata.last_updated).toBe('01-03-2026 10:00:00')
    expect(network.stopsPayments('KITA')).toBe(false)
    expect(ask(network, 'NOVA').data.network_status).toBe('Healthy')
    const { endedAt } = await endNotice(test.database, id)
    await network.refresh()
    const mended = await untilStatus(network, 'KITA', 'Healthy')
    expect(mended.metadata.last_updated).toBe(formatDayFirst(endedAt as Date))
    // A node that starts later gives the same answer.
    expect(ask(await open(), 'KITA').metadata).toEqual(mended.metadata)
  })

  it('a notice that stops payments stops those of its product or category alone', async () => {
    const network = await open()
    const water = BASE.products.filter(({ categoryCode }) => categoryCode === 'WATER')
    expect(water.length).toBeGreaterThan(1)
    const stops = { ...NOTICE, stopsPayments: true }
    const made = [
      await addNotice(test.database, BASE, { ...stops, target: { kind: 'product', code: 'GEMS' } }),
      await addNotice(test.database, BASE, { ...stops, target: { kind: 'category', code: 'WATER' } }),
    ]
    await network.refresh()
    const stopped = BASE.products.filter(({ code }) => network.stopsPayments(code)).map(({ code }) => code)
    expect(stopped.sort()).toEqual(['GEMS', ...water.map(({ code }) => code)].sort())
    expect(network.stopsPayments('NOBODY')).toBe(false)
    for (const { id } of made) await endNotice(test.database, id)
    await network.refresh()
    expect(BASE.products.some(({ code }) => network.stopsPayments(code))).toBe(false)
  })

  it('a notice on a provider interrupts the products that no other provider fulfils', async () => {
    const [first, second] = ['first', 'second'].map((code) =>
      createScriptedProvider(SUCCEEDED, undefined, { code }),
    )
    if (first === undefined || second === undefined) throw new Error('two')
    const both = await open(providersOf(first, second))
    const alone = await open(providersOf(first))
    const { id } = await addNotice(test.database, BASE, {
      ...NOTICE,
      target: { kind: 'provider', code: 'first' },
    })
    await Promise.all([both.refresh(), alone.refresh()])
    expect(ask(both, 'NOVA').data.network_status).toBe('Healthy')
    expect(ask(alone, 'NOVA').data.network_status).toBe('Interruption')
    await endNotice(test.database, id)
    await alone.refresh()
    await untilStatus(alone, 'NOVA', 'Healthy')
  })
})

it('a check of all states lets others have their turn between the products', async () => {
  const [sample] = BASE.products
  const products = Array.from({ length: 50_000 }, (_, index) => ({ ...sample, code: `P${index}` }))
  let turns = 0
  let timer = setImmediate(function count() {
    turns += 1
    timer = setImmediate(count)
  })
  let turnsAtFirst = 0
  const turnsBetween = new Promise<number>((resolve) => {
    const productHealth: Providers['productHealth'] = (code) => {
      if (code === 'P0') turnsAtFirst = turns
      if (code === 'P49999') resolve(turns - turnsAtFirst)
      return healthy.productHealth(code)
    }
    const base = { ...BASE, products } as BaseCatalog
    void open({ ...healthy, productHealth }, { catalog: { ...catalog, base: () => base }, watchMs: 1 })
  })
  expect(await turnsBetween).toBeGreaterThan(0)
  clearImmediate(timer)
})
