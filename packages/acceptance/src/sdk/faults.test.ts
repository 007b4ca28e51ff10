import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import type { Payer } from '../payments.ts'
import { createPayer, newRefid, PHONE, RELOAD_COST, ringgit } from '../payments.ts'
import type { Driver } from './driver.ts'
import { startDriver } from './driver.ts'
import { SDK_DRIVERS } from './drivers.ts'
import type { Fault, FaultProxy, Passed } from './fault-proxy.ts'
import { startFaultProxy } from './fault-proxy.ts'

// Faults of the network between a client and the real service, which every client of ours survives. A generated client
// does not: it has no policy of retries (SDK_BEHAVIOUR).

type Payment = { refid: string; status: string }

/** Longer than any answer takes. */
const TIMEOUT_MS = 30_000
/** Time after which a swallowed answer is given up. A true answer that takes longer is asked for again. */
const SWALLOWED_MS = 1_500
const QUICKLY = { pollScheduleMs: [100], timeoutMs: 60_000 }
const DEPOSIT = 1_000

let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})

describe.each(SDK_DRIVERS)('the $name client', (kind) => {
  let payer: Payer
  let proxy: FaultProxy
  let driver: Driver
  let paidBefore = 0

  const settings = (more: object = {}) => ({
    baseUrl: proxy.url,
    apiKey: payer.credentials.apiKey,
    signingSecret: payer.credentials.secretBase64,
    timeoutMs: TIMEOUT_MS,
    retryBaseMs: 20,
    ...more,
  })

  beforeAll(async () => {
    payer = await createPayer(demo.service, String(DEPOSIT))
    proxy = await startFaultProxy(demo.service.baseUrl, kind.runtimeRepeats)
    driver = await startDriver(kind, settings())
  })

  afterAll(async () => {
    await driver?.end()
    await proxy?.close()
  })

  const newPayment = () => ({ refid: newRefid(), product: 'NOVA', account: PHONE, amount: 10 })

  /** Expects that so many payments were paid since the last look, by the wallet itself. */
  async function expectPaid(count: number): Promise<void> {
    paidBefore += count
    expect(await payer.balance()).toBe(ringgit(DEPOSIT - paidBefore * RELOAD_COST))
  }

  function expectAttempts(passed: readonly Passed[], payment: object): void {
    const timestamps = passed.map(({ headers }) => Number(headers['x-timestamp']))
    expect(new Set(passed.map(({ headers }) => headers['x-nonce'])).size).toBe(passed.length)
    for (const { body } of passed) expect(JSON.parse(body)).toEqual(payment)
    for (const [index, { fault }] of passed.entries()) {
      if (fault === 'pass') continue
      const next = timestamps[index + 1]
      if (next !== undefined) expect(next).toBeGreaterThan(timestamps[index] ?? 0)
    }
  }

  it.each<[string, Fault[]]>([
    ['timeouts', [{ kind: 'swallow_request' }, { kind: 'swallow_answer' }]],
    ['resets before and in the middle of the answer', [{ kind: 'reset_request' }, { kind: 'reset_answer' }]],
    [
      'gateways that fail',
      [
        { kind: 'gateway', status: 502 },
        { kind: 'replace_answer', status: 504 },
      ],
    ],
    [
      'a service that is busy',
      [
        { kind: 'gateway', status: 503, headers: { 'retry-after': '1' } },
        { kind: 'replace_answer', status: 500 },
      ],
    ],
  ])('pays once through %s', async (_, faults) => {
    const payment = newPayment()
    const isSwallowed = faults.some(({ kind: fault }) => fault.startsWith('swallow'))
    await driver.do('configure', { settings: settings(isSwallowed ? { timeoutMs: SWALLOWED_MS } : {}) })
    proxy.plan(...faults)
    const paid = await driver.do<Payment>('payAndWait', { payment, ...QUICKLY })
    expect(paid).toMatchObject({ refid: payment.refid, status: 'Succesful' })
    expectAttempts(proxy.take(), payment)
    await expectPaid(1)
  })

  it('calls an outcome unknown that nobody knows, and finds it out later with the same refid', async () => {
    const payment = newPayment()
    proxy.plan(
      { kind: 'reset_request' },
      { kind: 'replace_answer', status: 504 },
      { kind: 'reset_answer' },
      { kind: 'gateway', status: 502 },
    )
    const error = await driver.fail('pay', { payment })
    expect(error).toMatchObject({ class: 'UnknownOutcome', refid: payment.refid, retrySafe: true })
    expect(proxy.take()).toHaveLength(4)
    const paid = await driver.do<Payment>('payAndWait', { payment, ...QUICKLY })
    expect(paid.status).toBe('Succesful')
    await expectPaid(1)
  })

  it('keeps an outcome unknown when a gateway refuses the next question', async () => {
    const payment = newPayment()
    proxy.plan({ kind: 'replace_answer', status: 504 }, { kind: 'gateway', status: 403 })
    expect(await driver.fail('pay', { payment })).toMatchObject({ class: 'UnknownOutcome' })
    await expectPaid(1)
  })

  it('repeats reads, and never a change that could happen twice', async () => {
    proxy.plan({ kind: 'reset_request' }, { kind: 'reset_answer' }, { kind: 'gateway', status: 500 })
    await driver.do('operation', { name: 'getBalance' })
    expect(proxy.take()).toHaveLength(4)
    await driver.do('operation', {
      name: 'setCallbackUrl',
      input: { url: 'https://shop.example/callback', method: 'POST' },
    })
    proxy.plan({ kind: 'reset_answer' })
    const error = await driver.fail('operation', { name: 'rotateCallbackSecret', input: {} })
    expect(error).toMatchObject({ class: 'UnknownOutcome', retrySafe: false })
    expect(proxy.take()).toHaveLength(1)
  })

  it.each([600, -600])('pays with a clock that is wrong by %i seconds', async (clockOffsetSeconds) => {
    await driver.do('configure', { settings: settings({ clockOffsetSeconds }) })
    proxy.plan()
    const payment = newPayment()
    const paid = await driver.do<Payment>('payAndWait', { payment, ...QUICKLY })
    expect(paid.status).toBe('Succesful')
    const [refused, second] = proxy.take().map(({ headers }) => Number(headers['x-timestamp']))
    expect(Math.abs((refused ?? 0) - (second ?? 0))).toBeGreaterThan(590)
    const { offsetMs } = await driver.do<{ offsetMs: number }>('clock')
    expect(Math.abs(offsetMs + clockOffsetSeconds * 1_000)).toBeLessThan(60_000)
    await driver.do('operation', { name: 'getBalance' })
    expect(proxy.take()).toHaveLength(1)
    await driver.do('configure', { settings: settings() })
    await expectPaid(1)
  })

  it('pays once when it is killed after paying and before noting it, and starts again with the same refid', async () => {
    const payment = newPayment()
    proxy.plan({ kind: 'swallow_answer' })
    const swallowed = proxy.untilSwallowed()
    const first = await startDriver(kind, settings())
    const lost = first.try('payAndWait', { payment, ...QUICKLY })
    await swallowed
    await first.kill()
    expect(await lost).toMatchObject({ error: { class: 'DriverEnded' } })
    const paid = await driver.do<Payment>('payAndWait', { payment, ...QUICKLY })
    expect(paid).toMatchObject({ refid: payment.refid, status: 'Succesful' })
    await expectPaid(1)
  })
})
