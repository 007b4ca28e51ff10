import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Catalog, Demo, Item, Options } from '../catalog.ts'
import { NEWEST, openDemo } from '../catalog.ts'
import { signed } from '../http.ts'
import type { Received, Receiver } from '../receiver/receiver.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import { makeDirectory, until } from '../service.ts'
import type { Subscriber } from './subscriber.ts'
import { createSubscriber, expectSigned, jsonOf, newPath, subscribeWebhook } from './subscriber.ts'

let demo: Demo
let receiver: Receiver
let directory: string
/** Base catalog as it was seeded, in the form that an import takes. */
let exported: Rows

type Row = Record<string, unknown>
type Rows = Record<string, Row[]>

beforeAll(async () => {
  receiver = await startReceiver()
  demo = await openDemo(REACHES_RECEIVER)
  directory = await makeDirectory()
  const file = join(directory, 'export.json')
  await demo.service.warungd('catalog', 'export', '--file', file)
  exported = JSON.parse(await readFile(file, 'utf8')) as Rows
})

afterAll(() => demo?.end())

/** Imports rows as an operator does: whole rows, all of them or none. */
async function importRows(rows: Rows): Promise<void> {
  const file = join(directory, 'change.json')
  await writeFile(file, JSON.stringify(rows))
  await demo.service.warungd('catalog', 'import', '--file', file)
}

function rowOf(kind: string, wanted: Row): Row {
  const row = exported[kind]?.find((each) =>
    Object.entries(wanted).every(([name, value]) => each[name] === value),
  )
  if (row === undefined) throw new Error(`${kind} has no row for ${JSON.stringify(wanted)}`)
  return row
}

type CatalogEvent = {
  type: string
  resource: string
  id: string
  timestamp: string
  data: Record<string, unknown> | null
}

function eventOf(received: Received): CatalogEvent {
  expectSigned(received, true)
  expect([received.method, received.port]).toEqual(['POST', 'secure'])
  const event = jsonOf<CatalogEvent>(received)
  expect(Object.keys(event)).toEqual(['type', 'resource', 'id', 'timestamp', 'data'])
  expect(new Date(event.timestamp).toISOString()).toBe(event.timestamp)
  expect(event.data === null).toBe(event.type.endsWith('.deleted'))
  return event
}

/** Returns a reader of the requests at the path, change by change. */
function receiverAt(path: string) {
  let heard = 0
  return async (count: number): Promise<CatalogEvent[]> => {
    const received = (await receiver.untilReceived(path, heard + count)).slice(heard)
    heard += count
    return received.map(eventOf).sort((one, other) => (one.type + one.id < other.type + other.id ? -1 : 1))
  }
}

const namesOf = (events: readonly CatalogEvent[]) =>
  events.map(({ type, resource, id }) => `${type} ${resource} ${id}`)

async function readAs<T>(shop: Subscriber, path: string): Promise<T> {
  const headers = { 'X-API-Version': NEWEST }
  const answer = await signed(demo.service.baseUrl, shop.credentials, { path, headers })
  expect(answer.status, answer.text).toBe(200)
  return answer.json<T>()
}

const overlay = (shop: Subscriber, verb: 'set' | 'remove', ...options: string[]) =>
  demo.service.warungd('overlay', verb, '--reseller', shop.account, ...options)

describe('the catalog webhook', () => {
  it('sends each of the twelve types, each event on its own and signed', async () => {
    const shop = await createSubscriber(demo.service, null)
    const hear = receiverAt(await subscribeWebhook(receiver, shop, 'catalog-webhook'))
    const group = { code: 'NEWGROUP', name: 'New group' }
    const category = { code: 'NEWCATEGORY', name: 'New category', group: 'NEWGROUP' }
    const product = { ...rowOf('products', { code: 'NOVA' }), code: 'NEWPRODUCT', category: 'NEWCATEGORY' }
    const option = {
      ...rowOf('options', { product: 'NOVA', field: 'amount' }),
      product: 'NEWPRODUCT',
      code: 'A:B',
    }
    const prices = [{ level: 'STANDARD', product: 'NEWPRODUCT', discount_type: 'percentage', value: '0.95' }]
    const whole = (change: Row) => ({
      groups: [{ ...group, ...change }],
      categories: [{ ...category, ...change }],
      products: [{ ...product, ...change }],
      options: [
        { ...option, ...('name' in change && { label: change.name }), ...('is_active' in change && change) },
      ],
    })
    const named = (verb: string) => [
      `category.${verb} categories NEWCATEGORY`,
      `group.${verb} groups NEWGROUP`,
      `option.${verb} options NEWPRODUCT:amount:A:B`,
      `product.${verb} products NEWPRODUCT`,
    ]

    await importRows({ ...whole({}), prices })
    const created = await hear(4)
    expect(namesOf(created)).toEqual(named('created'))
    expect(created.map(({ data }) => data?.is_active)).toEqual([true, true, true, true])

    await importRows(whole({ name: 'Renamed' }))
    const updated = await hear(4)
    expect(namesOf(updated)).toEqual(named('updated'))
    expect(updated.map(({ data }) => data?.name ?? data?.label)).toEqual(Array(4).fill('Renamed'))

    await importRows(whole({ is_active: false }))
    expect(namesOf(await hear(4))).toEqual(named('deleted'))
  })

  it('tells the whole effective state, which is what the catalogue and the options show', async () => {
    const shop = await createSubscriber(demo.service, null)
    const hear = receiverAt(await subscribeWebhook(receiver, shop, 'catalog-webhook'))
    await overlay(shop, 'set', '--product', 'NOVA', '--name', 'Nova kami', '--adjust-percentage', '1.10')
    const events = await hear(6)
    const options = await readAs<Options>(shop, '/v2/options?product_code=NOVA&field_id=amount')
    expect(namesOf(events)).toEqual([
      ...options.items.map(({ code }) => `option.updated options NOVA:amount:${code}`).sort(),
      'product.updated products NOVA',
    ])
    for (const { data } of events.slice(0, -1)) {
      const item = options.items.find(({ code }) => code === data?.code) as Item
      const { label, denomination, price, cost, rrp } = item
      expect(data).toMatchObject({ label, denomination, price, cost, rrp, is_active: true })
      expect(data).toMatchObject({ min_amount: null, max_amount: null })
    }
    const shown = (await readAs<Catalog>(shop, '/v2/catalog')).products.NOVA as unknown as Row
    const told = events.at(-1)?.data
    for (const name of [
      'image_url',
      'processing_time',
      'is_active',
      'fields',
      'fulfillment',
      'min_amount',
    ] as const) {
      expect([name, told?.[name]]).toEqual([name, shown[name]])
    }
    const pricing = shown.pricing as Row
    expect(told).toMatchObject({
      product_code: 'NOVA',
      display_name: 'Nova kami',
      reseller_code: shop.account,
      is_hidden: false,
      unit_price: pricing.unit_price,
      discount: pricing.discount,
      price_adjustment_type: 'percentage',
      price_adjustment_value: 1.1,
    })
    expect(shown.name).toBe('Nova kami')
  })

  it('a removed customisation is sent as an update with the base view', async () => {
    const shop = await createSubscriber(demo.service, null)
    const other = await createSubscriber(demo.service, null)
    const path = await subscribeWebhook(receiver, shop, 'catalog-webhook')
    const elsewhere = await subscribeWebhook(receiver, other, 'catalog-webhook')
    const hear = receiverAt(path)
    await overlay(shop, 'set', '--product', 'KITA', '--name', 'Kita kami')
    const [set] = await hear(1)
    await overlay(shop, 'remove', '--product', 'KITA')
    const [removed] = await hear(1)
    expect([set?.type, removed?.type]).toEqual(['product.updated', 'product.updated'])
    expect([set?.data?.display_name, removed?.data?.display_name]).toEqual(['Kita kami', removed?.data?.name])
    expect(await receiver.requests(elsewhere)).toEqual([])
  })

  it('a product that may no longer be bought is sent as inactive, and sent again when it is back', async () => {
    const shop = await createSubscriber(demo.service, null)
    const hear = receiverAt(await subscribeWebhook(receiver, shop, 'catalog-webhook'))
    const permission = (verb: string) =>
      demo.service.warungd('catalog', verb, '--reseller', shop.account, '--product', 'KITA')
    await permission('forbid')
    const [denied] = await hear(1)
    expect(denied).toMatchObject({ type: 'product.updated', id: 'KITA', data: { is_active: false } })
    await permission('permit')
    const [allowed] = await hear(1)
    expect(allowed).toMatchObject({ type: 'product.updated', id: 'KITA', data: { is_active: true } })
  })

  it('queues nothing while it is switched off', async () => {
    const shop = await createSubscriber(demo.service, null)
    const path = await subscribeWebhook(receiver, shop, 'catalog-webhook')
    const feed = async () =>
      (await shop.ask<{ data: Row[] }>('GET', '/v2/events?after=0&limit=100')).data.length
    await shop.ask('PATCH', '/v2/catalog-webhook/enabled', { enabled: false })
    await overlay(shop, 'set', '--product', 'KITA', '--name', 'Unseen')
    await until('the feed has it', async () => (await feed()) === 1)
    await shop.ask('PATCH', '/v2/catalog-webhook/enabled', { enabled: true })
    await overlay(shop, 'set', '--product', 'KITA', '--name', 'Seen')
    const [received] = await receiver.untilReceived(path, 1)
    expect(jsonOf<CatalogEvent>(received as Received).data?.display_name).toBe('Seen')
    expect(await shop.untilFinished('catalog-webhook', 1)).toHaveLength(1)
  })

  it('signs with both secrets in a grace period, and X-Webhook-Signature with the new one', async () => {
    const shop = await createSubscriber(demo.service, null)
    const path = newPath()
    const old = await shop.setWebhook('catalog-webhook', `${receiver.urls.secure}${path}`)
    const rotated = await shop.ask('POST', '/v2/catalog-webhook/rotate-secret', { grace_seconds: 600 })
    await receiver.verifyWith(path, old, String(rotated.webhook_secret))
    await overlay(shop, 'set', '--product', 'KITA', '--name', 'Kita kita')
    const [received] = await receiver.untilReceived(path, 1)
    expect(received?.standard).toEqual(['verified', 'verified'])
    expect(received?.plain).toEqual(['wrong', 'verified'])
  })

  it('an event that was given up can be replayed to the present URL, with the present secret, under the same id', async () => {
    const shop = await createSubscriber(demo.service, null)
    const path = await subscribeWebhook(receiver, shop, 'catalog-webhook')
    await receiver.answer(path, 404)
    await overlay(shop, 'set', '--product', 'KITA', '--name', 'Kita lagi')
    const [failed] = await shop.untilFinished('catalog-webhook', 1)
    if (failed === undefined) throw new Error('nothing is in the log')
    expect(failed).toMatchObject({ status: 'failed', responseCode: 404, originalJobId: null })
    const other = newPath()
    await shop.ask('PUT', '/v2/catalog-webhook', { url: `${receiver.urls.secure}${other}` })
    const rotated = await shop.ask('POST', '/v2/catalog-webhook/rotate-secret')
    await receiver.verifyWith(other, String(rotated.webhook_secret))
    const replay = await shop.ask('POST', `/v2/catalog-webhook/deliveries/${failed.id}/replay`)
    expect(replay).toEqual({ jobId: expect.any(String), originalJobId: failed.id, eventId: failed.eventId })
    const [first] = await receiver.untilReceived(path, 1)
    const [again] = await receiver.untilReceived(other, 1)
    if (first === undefined || again === undefined) throw new Error('both were received')
    expect(eventOf(again)).toEqual(jsonOf(first))
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id'])
    const [, logged] = await shop.untilFinished('catalog-webhook', 2)
    expect(logged).toMatchObject({ id: replay.jobId, status: 'success', replayCount: 1 })
    expect(logged?.payload).toEqual(failed.payload)
  })

  it('is refused an address without TLS', async () => {
    const shop = await createSubscriber(demo.service, null)
    const answer = await shop.call('PUT', '/v2/catalog-webhook', { url: `${receiver.urls.plain}/x` })
    expect([answer.status, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([400, ['url']])
  })
})
