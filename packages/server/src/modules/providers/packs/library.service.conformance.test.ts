import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectHttp, openLoopback } from '../../../testing/providers/http-connection.ts'
import {
  configAt,
  costText,
  follow,
  offerText,
  orderOf,
  secretsOf,
  wantedOf,
} from '../../../testing/providers/pack-bench.ts'
import { newOrder } from '../../../testing/providers/provider-bench.ts'
import { makeCallback } from '../books/callbacks.rules.ts'
import type { BookServer } from '../books/server.service.ts'
import { startBookServer } from '../books/server.service.ts'
import { valuesOf } from '../books/text.rules.ts'
import type { Book } from '../books/types.ts'
import type { CallbackReading, Provider } from '../port/types.ts'
import { getBook, getPack, listPackIds } from './library.service.ts'
import type { Pack } from './types.ts'

// Every pack against its book of answers: the connector that runs, over HTTP.

const NOW_MS = Date.parse('2026-03-01T04:00:00Z')
const outbound = openLoopback()
const end = () => AbortSignal.timeout(5_000)

afterAll(() => outbound.close())

describe.each(await listPackIds())('the pack %s', (id) => {
  let pack: Pack
  let book: Book
  let server: BookServer
  let provider: Provider

  beforeAll(async () => {
    pack = await getPack(id)
    book = await getBook(id)
    server = await startBookServer({ book })
    const config = configAt(pack, book, server.url)
    provider = connectHttp({ config, secrets: secretsOf(pack), outbound, nowMs: () => NOW_MS })
  })

  afterAll(() => server?.close())

  it('leads each order to the end that its supplier documents', async () => {
    for (const [at, scenario] of book.scenarios.entries()) {
      const order = orderOf(provider, scenario, at)
      const seen = await follow(provider, order, scenario)
      expect.soft(seen, scenario.name).toEqual(wantedOf(scenario, seen, server, order))
    }
    expect(server.mistakes()).toEqual([])
  })

  it('reads what its supplier says of an order that it does not know, or knows already', async () => {
    const { unknownReference, repeatedReference, scenarios } = book
    const first = scenarios[0]
    if (first === undefined) throw new Error('the book has no scenario')
    if (unknownReference !== null) {
      const stranger = { ...newOrder({ productCode: 'P0' }), supplierId: '9999999' }
      const reference = provider.referenceOf?.(stranger) ?? stranger.reference
      expect((await provider.query({ ...stranger, reference }, end())).kind).toBe(unknownReference.expect)
    }
    if (repeatedReference === null) return
    const order = orderOf(provider, first, 0)
    await provider.submit(order, end())
    expect((await provider.submit(order, end())).kind).toBe(repeatedReference.expect)
    const acts = server.orders().find(({ reference }) => reference === order.reference)?.acts
    expect(acts).toBe(repeatedReference.actsAgain ? 2 : 1)
  })

  it('asks whose a number is, for our money there, and for the list of what it sells', async () => {
    const { lookup, float, offers, firstOffer } = book.expect
    const told = await provider.lookups?.lookUp({ number: '60123456789', country: 'MY' }, end())
    expect(told).toEqual(lookup === null ? undefined : { kind: 'found', operator: lookup })
    if (float !== null) {
      const answer = await provider.float?.readFloat(end())
      const known = answer?.kind === 'known' ? { currency: 'MYR', ...answer } : undefined
      expect(costText(known)).toBe(float)
    }
    if (offers === null) return
    const page = await provider.catalogue?.readPage(null, end())
    if (page?.kind !== 'page') throw new Error(`the list cannot be read: ${JSON.stringify(page)}`)
    expect(page.unread).toEqual([])
    expect(page.offers.length).toBe(offers)
    expect(page.offers[0] && offerText(page.offers[0])).toMatchObject(firstOffer)
  })

  it('takes callbacks that its supplier signed, and no others', async () => {
    const [scenario] = book.scenarios
    if (scenario === undefined || book.callbacks.length === 0) return
    const order = orderOf(provider, scenario, 0)
    await provider.submit(order, end())
    const taken = server.orders().find(({ reference }) => reference === order.reference)
    let before: CallbackReading | undefined
    for (const callback of book.callbacks) {
      const request = makeCallback(callback, valuesOf(taken, NOW_MS), secretsOf(pack), NOW_MS)
      const reading = provider.callbacks?.readCallback(request, NOW_MS)
      const wanted = callback.expect === 'repeated' ? 'news' : callback.expect
      expect.soft(reading?.kind, callback.name).toBe(wanted)
      if (reading?.kind === 'news') expect.soft(reading.reference, callback.name).toBe(order.reference)
      if (callback.expect === 'repeated') expect.soft(reading, callback.name).toEqual(before)
      before = reading
    }
  })
})
