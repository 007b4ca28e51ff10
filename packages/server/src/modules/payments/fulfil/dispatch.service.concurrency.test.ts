import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dispatcherAmong, dispatchOf } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith, until } from '../../../testing/payments/payments.ts'
import {
  createScriptedProvider,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import type { Admission } from '../../providers/connections/routing.types.ts'
import type { Provider } from '../../providers/port/types.ts'
import type { Payment } from '../core/types.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

const dispatcherFor = (...providers: readonly Provider[]) => dispatcherAmong(node, providersOf(...providers))

async function pay(): Promise<Payment> {
  return payWith(node, await bench.newReseller(10_000n))
}

describe('the door of a provider', () => {
  it('lets in as many at a time as it says', async () => {
    const payments = await Promise.all(Array.from({ length: 5 }, pay))
    const answers: (() => void)[] = []
    const narrow = createScriptedProvider(
      () => new Promise((resolve) => answers.push(() => resolve(SUCCEEDED))),
      UNKNOWN,
      { concurrencyMax: 2 },
    )
    const dispatcher = dispatcherFor(narrow)
    for (const payment of payments) void dispatcher.send(dispatchOf(payment))
    let answered = 0
    while (answered < payments.length) {
      const answer = await until('somebody is inside', () => answers.shift())
      expect(narrow.submitted.length - answered).toBeLessThanOrEqual(2)
      answered += 1
      answer()
    }
    await until('all are done', () => dispatcher.underway === 0)
    for (const payment of payments) expect(await bench.codeOf(payment)).toBe(20)
  })

  it('lets in as many in a second as it says, and one reseller does not keep another waiting', async () => {
    const flooder = await bench.newReseller(80_000n)
    const flood = await Promise.all(Array.from({ length: 8 }, () => payWith(node, flooder)))
    const [other] = await Promise.all([pay()])
    const startedMs: number[] = []
    const slow = createScriptedProvider(
      async () => {
        startedMs.push(performance.now())
        return SUCCEEDED
      },
      UNKNOWN,
      { ratePerSecond: 20 },
    )
    const dispatcher = dispatcherFor(slow)
    for (const payment of flood) void dispatcher.send(dispatchOf(payment))
    void dispatcher.send(dispatchOf(other as Payment))
    await until('all were sent', () => startedMs.length === 9)
    for (const [index, at] of startedMs.entries()) {
      // No order is earlier than its turn; a timer may be a millisecond early by its own rounding.
      expect(at - (startedMs[0] as number)).toBeGreaterThanOrEqual(index * 50 - 52)
    }
    const place = slow.submitted.findIndex(({ reference }) => reference === `W${other?.id}-1`)
    expect(place).toBeLessThanOrEqual(3)
  })
})

describe('a provider that falls ill', () => {
  function illAfter(provider: Provider, admissions: Admission[]) {
    const observed: string[] = []
    const other = createScriptedProvider(SUCCEEDED, UNKNOWN, { code: 'second' })
    const dispatcher = dispatcherAmong(node, {
      ...providersOf(provider, other),
      admit: (code) => (code === provider.code ? (admissions.shift() ?? 'open') : 'send'),
      observe: (code, { answer }) => observed.push(`${code} ${answer}`),
    })
    return { dispatcher, other, observed }
  }

  it('gets nothing of what waits at its door: that goes elsewhere, and is not counted as sent', async () => {
    const [one, two, three] = (await Promise.all([pay(), pay(), pay()])) as [Payment, Payment, Payment]
    const ill = createScriptedProvider(UNKNOWN, UNKNOWN, { concurrencyMax: 1 })
    const { dispatcher, other, observed } = illAfter(ill, ['send'])
    for (const payment of [one, two, three]) void dispatcher.send(dispatchOf(payment))
    await until('nothing is under way', () => dispatcher.underway === 0)
    expect(ill.submitted).toHaveLength(1)
    expect(other.submitted.map(({ reference }) => reference).sort()).toEqual(
      [`W${two.id}-2`, `W${three.id}-2`].sort(),
    )
    expect(observed.sort()).toEqual(['scripted unknown', 'second succeeded', 'second succeeded'])
    expect(await bench.codeOf(one)).toBe(1)
  })

  it('keeps those that have to wait for a probe until it is over', async () => {
    const [probe, waiting] = (await Promise.all([pay(), pay()])) as [Payment, Payment]
    let answer = () => {}
    const tried = createScriptedProvider(({ reference }) =>
      reference === `W${probe.id}-1`
        ? new Promise((resolve) => {
            answer = () => resolve(SUCCEEDED)
          })
        : Promise.resolve(SUCCEEDED),
    )
    const { dispatcher } = illAfter(tried, ['send', 'wait', 'send'])
    void dispatcher.send(dispatchOf(probe))
    void dispatcher.send(dispatchOf(waiting))
    await until('the probe is inside', () => tried.submitted.length === 1)
    expect(dispatcher.underway).toBe(2)
    answer()
    await until('nothing is under way', () => dispatcher.underway === 0)
    expect(await bench.codeOf(waiting)).toBe(20)
    expect(tried.submitted).toHaveLength(2)
  })
})
