import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import type { Subscriber } from '../events/subscriber.ts'
import { createSubscriber, newPath } from '../events/subscriber.ts'
import type { FeedPage } from '../feed.ts'
import { newRefid, PHONE } from '../payments.ts'
import type { Received, Receiver } from '../receiver/receiver.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import { makeDirectory, until } from '../service.ts'
import { checkoutJourneys } from './checkout-journeys.ts'
import type { Driver } from './driver.ts'
import { startDriver } from './driver.ts'
import { DRIVERS, needing, SDK_COMMANDS } from './drivers.ts'

// Journeys of an integrator, which every client of ours makes against the real service, and a generated client too, except
// where a journey names behaviour that only an SDK has.

type Product = { code: string; fields: { id: string }[] }
type Option = { code: string; denomination?: number }
type Payment = { refid: string; status: string; statusCode: number; transaction_id: string; cost: number }
type Verified = { stream: string; id: string; payload: Record<string, unknown> }

const QUICKLY = { pollScheduleMs: [200], timeoutMs: 60_000 }
const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

let demo: Demo
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  demo = await openDemo(REACHES_RECEIVER)
})

afterAll(() => demo?.end())

describe.each(DRIVERS)('the $name client', (kind) => {
  let driver: Driver
  let reseller: Subscriber

  beforeAll(async () => {
    reseller = await createSubscriber(demo.service, '1000')
    const { apiKey, secretBase64: signingSecret } = reseller.credentials
    driver = await startDriver(kind, { baseUrl: demo.service.baseUrl, apiKey, signingSecret })
  })

  afterAll(() => driver?.end())

  async function build(code: string, values: object, options: object = {}): Promise<object> {
    const product = await driver.do<Product>('getProduct', { code })
    return driver.do('buildPayment', { product, values, options: { refid: newRefid(), ...options } })
  }

  async function optionOf(code: string, field: string, values: object = {}): Promise<Option> {
    const product = await driver.do<Product>('getProduct', { code })
    const [option] = await driver.do<Option[]>('optionsFor', { product, field, values })
    if (option === undefined) throw new Error(`${code}.${field} has no options`)
    return option
  }

  describe('paying', () => {
    it('goes from the catalogue to a payment that history, statement and feed show', async () => {
      const amount = await optionOf('NOVA', 'amount')
      const payment = await build('NOVA', { phone: PHONE, amount })
      const paid = await driver.do<Payment>('payAndWait', { payment, ...QUICKLY })
      expect(paid).toMatchObject({ ...payment, status: 'Succesful', statusCode: 20 })

      const input = { date: today() }
      const history = await driver.do<Record<string, unknown>[]>('list', { iterator: 'transactions', input })
      expect(history).toMatchObject([{ refid: paid.refid, trxid: paid.transaction_id }])
      const entries = await driver.do<{ refid?: string; amount: number }[]>('list', {
        iterator: 'statement',
        input: { ...input, limit: 1 },
      })
      expect(entries.map(({ refid, amount: change }) => [refid, change])).toEqual([
        [paid.refid, -paid.cost],
        [undefined, 1000],
      ])
      // The feed numbers an event shortly after the commit that it is about.
      const told = async () => {
        const events = await driver.do<{ type: string; data: { refid?: string } }[]>('list', {
          iterator: 'events',
          input: { limit: 2 },
        })
        return events.filter(({ data }) => data.refid === paid.refid).map(({ type }) => type)
      }
      const types = ['payment.accepted', 'balance.deducted', 'payment.succeeded']
      await expect.poll(async () => (await told()).length).toBeGreaterThanOrEqual(types.length)
      expect(await told()).toEqual(types)
    })

    it.each([
      ['a money field', 'KITA', { phone: PHONE, amount: '7.50' }, {}],
      ['no account field', 'PINTEN', {}, { account: PHONE }],
      ['a plan code', 'NOVAD', { phone: PHONE }, {}],
    ])('builds and pays a product with %s', async (_, code, typed, options) => {
      const field = { PINTEN: 'amount', NOVAD: 'plan' }[code]
      const values = field === undefined ? typed : { ...typed, [field]: await optionOf(code, field, typed) }
      const payment = await build(code, values, options)
      const paid = await driver.do<Payment>('payAndWait', { payment, ...QUICKLY })
      expect([paid.status, paid.statusCode]).toEqual(['Succesful', 20])
    })

    needing(kind, 'forms')(
      'builds nothing from values that do not fit, and names every problem in the words of the product',
      async () => {
        const product = await driver.do<Product>('getProduct', { code: 'KITA' })
        const error = await driver.fail('buildPayment', {
          product,
          values: { phone: '123', amount: '1' },
          options: { refid: newRefid() },
        })
        expect(error).toMatchObject({
          class: 'InvalidPayment',
          problems: [{ field: 'phone' }, { field: 'amount' }],
        })
      },
    )

    it('waits for a payment that is not final at once, and returns a failure as a payment', async () => {
      const late = { refid: newRefid(), product: 'NOVA', account: '60123451001', amount: 10 }
      expect(await driver.do('payAndWait', { payment: late, ...QUICKLY })).toMatchObject({
        status: 'Succesful',
      })
      const bad = { ...late, refid: newRefid(), account: '60123450048' }
      const failed = await driver.do<Payment>('payAndWait', { payment: bad, ...QUICKLY })
      expect([failed.status, failed.statusCode]).toEqual(['Failed', 48])
    })

    it('shows a refused payment and a refid of another payment as errors, with status and code', async () => {
      const payment = { refid: newRefid(), product: 'NOVA', account: PHONE, amount: 10 }
      const rejected = await driver.fail('pay', { payment: { ...payment, product: 'NO-SUCH' } })
      expect(rejected).toMatchObject({ status: 400, code: 44 })
      const paid = await driver.do<Payment>('pay', { payment })
      expect(paid.refid).toBe(payment.refid)
      expect(await driver.fail('pay', { payment: { ...payment, amount: 30 } })).toMatchObject({ status: 409 })
    })

    needing(kind, 'errors')(
      'tells a rejection, a refid of another payment and an end that is not known apart',
      async () => {
        const payment = { refid: newRefid(), product: 'NOVA', account: PHONE, amount: 10 }
        const rejected = await driver.fail('pay', { payment: { ...payment, product: 'NO-SUCH' } })
        expect(rejected).toMatchObject({
          class: 'PaymentRejected',
          code: 44,
          token: 'Invalid_Product',
          retrySafe: false,
          remedy: expect.stringMatching(/catalog/),
          requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        })
        await driver.do('payAndWait', { payment, ...QUICKLY })
        const conflict = await driver.fail('pay', { payment: { ...payment, amount: 30 } })
        expect(conflict).toMatchObject({
          class: 'RefidConflict',
          payment: { refid: payment.refid, amount: 10 },
        })
        expect(Object.keys(conflict.errors ?? {})).toEqual(['amount'])
        const never = { ...payment, refid: newRefid(), account: '60123453003' }
        const unknown = await driver.fail('payAndWait', {
          payment: never,
          timeoutMs: 1_000,
          pollScheduleMs: [200],
        })
        expect(unknown).toMatchObject({
          class: 'UnknownOutcome',
          refid: never.refid,
          retrySafe: true,
          payment: { refid: never.refid },
        })
        // It is Processing when the supplier's time is over. Told later, that would reach the receivers of other tests.
        await until('the feed tells that it is Processing', async () => {
          const { data } = await reseller.ask<FeedPage>('GET', '/v2/events?after=0&limit=1000')
          return data.some((event) => event.type === 'payment.processing' && event.data.refid === never.refid)
        })
      },
    )
  })

  describe('selling by the checkout', () => {
    checkoutJourneys(kind, () => ({ driver, reseller, receiver }))
  })

  describe('calling', () => {
    it('reaches operations by name, and shows a refusal with its status', async () => {
      const balance = await driver.do<{ data: { account: string } }>('operation', { name: 'getBalance' })
      expect(balance.data.account).toBe(reseller.account)
      const status = await driver.do('operation', { name: 'getNetworkStatus', input: { product: 'FP' } })
      expect(status).toMatchObject({ data: { network_status: 'Interruption' } })
      const input = { product: 'NO-SUCH' }
      expect(await driver.fail('operation', { name: 'getNetworkStatus', input })).toMatchObject({
        status: 404,
      })
    })

    needing(kind, 'errors')('names the class of a refusal', async () => {
      const input = { product: 'NO-SUCH' }
      const error = await driver.fail('operation', { name: 'getNetworkStatus', input })
      expect(error).toMatchObject({ class: 'NotFound', status: 404 })
    })

    needing(kind, 'paths')('reaches operations by path', async () => {
      const called = await driver.do<{ status: number; body: unknown }>('call', {
        method: 'GET',
        path: '/v2/networkstatus',
        query: { product: 'NO SUCH+1' },
      })
      expect(called).toMatchObject({ status: 404, body: { message: 'Product not found.' } })
    })

    it('walks through a list of many pages', async () => {
      const billers = await driver.do<unknown[]>('list', {
        iterator: 'billers',
        input: { limit: 1_000 },
        max: 2_500,
      })
      expect(new Set(billers.map((each) => JSON.stringify(each))).size).toBe(2_500)
    })
  })

  describe('following the feed', () => {
    needing(kind, 'follower')(
      'handles an event again after a crash between handling and saving, and loses none',
      async () => {
        const storeFile = join(await makeDirectory(), 'cursor')
        const { apiKey, secretBase64: signingSecret } = reseller.credentials
        const settings = { baseUrl: demo.service.baseUrl, apiKey, signingSecret }
        const first = await startDriver(kind, settings)
        const died = await first.try('followEvents', { storeFile, max: 9, dieBeforeSaving: 3, pauseMs: 100 })
        expect('error' in died && died.error.class).toBe('DriverEnded')
        expect(await first.ended).toBe(7)
        expect(await readFile(storeFile, 'utf8')).toBe('2')
        const again = await driver.do<{ sequence: number }[]>('followEvents', {
          storeFile,
          max: 2,
          pauseMs: 100,
        })
        expect(again.map(({ sequence }) => sequence)).toEqual([3, 4])
        const lines = (await readFile(`${storeFile}.handled`, 'utf8')).trim().split('\n')
        const handled = lines.map((line) => JSON.parse(line) as { sequence: number; id: string })
        expect(handled.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 3, 4])
        expect(handled[2]?.id).toBe(handled[3]?.id)
      },
    )
  })

  describe('receiving', () => {
    const requestOf = ({ method, url, headers, body }: Received) => ({ method, url, headers, body })
    const verify = (received: Received, secrets: readonly string[], more: object = {}) =>
      driver.try<Verified>('verifyWebhook', { request: requestOf(received), secrets, ...more })

    needing(kind, 'webhooks')(
      'verifies what the service sends to each stream, and sorts out duplicates and older states',
      async () => {
        const path = newPath()
        const secret = await reseller.setCallback(`${receiver.urls.plain}${path}?shop=1`, 'POST')
        const payment = { refid: newRefid(), product: 'NOVA', account: '60123451600', amount: 10 }
        await driver.do('pay', { payment })
        await receiver.untilReceived(path, 1)
        await driver.do('operation', { name: 'advanceTestClock', input: { advance_seconds: 600 } })
        const [before, after] = await receiver.untilReceived(path, 2)
        if (before === undefined || after === undefined) throw new Error('two callbacks came')
        const events: Verified[] = []
        for (const received of [after, before, after, before]) {
          const verified = await verify(received, [secret])
          if ('error' in verified) throw new Error(JSON.stringify(verified.error))
          events.push(verified.ok)
        }
        expect(
          events.map(({ stream, payload }) => [stream, payload.refid, payload.status]).slice(0, 2),
        ).toEqual([
          ['callback', payment.refid, 'Succesful'],
          ['callback', payment.refid, 'Processing'],
        ])
        expect(await driver.do('inbox', { events })).toEqual(['new', 'stale', 'duplicate', 'duplicate'])
        expect(
          await verify({ ...after, body: after.body.replace('"NOVA"', '"KITA"') }, [secret]),
        ).toMatchObject({
          error: { class: 'InvalidWebhook', token: 'wrong_signature' },
        })
        const later = { now: Math.floor(Date.now() / 1_000) + 301 + 60 }
        expect(await verify(after, [secret], later)).toMatchObject({
          error: { token: 'timestamp_out_of_window' },
        })
      },
    )

    needing(kind, 'webhooks')('verifies GET callbacks through a rotation with either secret', async () => {
      const path = newPath()
      const old = await reseller.setCallback(`${receiver.urls.plain}${path}?shop=a%20b`, 'GET')
      const { webhook_secret: current } = await driver.do<{ webhook_secret: string }>('operation', {
        name: 'rotateCallbackSecret',
        input: { grace_seconds: 600 },
      })
      await driver.do('operation', { name: 'testCallback', input: { type: 'payment.succeeded' } })
      const [received] = await receiver.untilReceived(path, 1)
      if (received === undefined) throw new Error('a callback came')
      for (const secrets of [[current], [old], [old, current]]) {
        expect(await verify(received, secrets)).toMatchObject({
          ok: { stream: 'callback', isTest: true, payload: { status: 'Succesful' } },
        })
      }
      expect(await verify(received, ['whsec_AAAA'])).toMatchObject({ error: { token: 'wrong_signature' } })
    })

    needing(kind, 'webhooks').each([
      ['balance', 'balance-webhook', 'testBalanceWebhook', 'balance.added'],
      ['catalog', 'catalog-webhook', 'testCatalogWebhook', 'product.updated'],
    ] as const)('verifies the %s stream', async (stream, hook, operation, type) => {
      const path = newPath()
      const secret = await reseller.setWebhook(hook, `${receiver.urls.secure}${path}`)
      await driver.do('operation', { name: operation, input: { type } })
      const [received] = await receiver.untilReceived(path, 1)
      if (received === undefined) throw new Error('a webhook came')
      expect(await verify(received, [secret])).toMatchObject({
        ok: { stream, isTest: true, payload: { type } },
      })
    })
  })
})

describe.each(DRIVERS.filter(({ isSdk }) => !isSdk))('the $name client', (kind) => {
  it('makes every journey but those that need the listed behaviour of an SDK', async () => {
    const protocol = await readFile(new URL('./driver.md', import.meta.url), 'utf8')
    const commands = [...protocol.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
    const { apiKey, secretBase64: signingSecret } = demo.service.credentials
    const driver = await startDriver(kind, { baseUrl: demo.service.baseUrl, apiKey, signingSecret })
    const refused: string[] = []
    for (const name of commands) {
      const result = await driver.try(name)
      if ('error' in result && result.error.class === 'NotInThisClient') refused.push(name)
    }
    await driver.end()
    expect(refused.sort()).toEqual(Object.keys(SDK_COMMANDS).sort())
  })
})
