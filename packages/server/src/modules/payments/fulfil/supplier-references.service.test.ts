import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  beginAttempt,
  dispatcherAmong,
  dispatchOf,
  recoveryAt,
  takeOver,
} from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import type { Script, ScriptedProvider } from '../../../testing/providers/scripted-provider.ts'
import {
  createScriptedProvider,
  NOT_ACTED,
  NOT_FOUND,
  PENDING,
  providersOf,
  SUCCEEDED,
} from '../../../testing/providers/scripted-provider.ts'
import { requestOf, signing } from '../../../testing/providers/signing-provider.ts'
import { createAlerts } from '../../alerts/core/service.ts'
import type { Order, Provider } from '../../providers/port/types.ts'
import type { Payment } from '../core/types.ts'
import { getAttemptHistory } from '../read/attempt-history.service.ts'
import { createCallbacks } from './callbacks.service.ts'
import type { Recovery } from './recovery.jobs.ts'
import { getFulfilledOrder } from './voids.service.ts'

// Names under which suppliers know attempts: references in their own form, and their own ids.

let bench: PaymentsBench
let node: Node
const started: Recovery[] = []

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
beforeEach(async () => {
  await bench.database.query(`update payment_work set next_at = now() + interval '1 day'`)
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((recovery) => recovery.stop()))
  await expectSoundMoney(bench.database)
})

const PAST_PROOF_S = 100
const nowMs = Date.UTC(2026, 10, 15)

const pay = async (): Promise<Payment> => payWith(node, await bench.newReseller(10_000n))
const formOf = ({ reference }: Pick<Order, 'reference'>) => `20261115${reference.replaceAll('-', 'A')}`

/** Creates a provider that wants references in a form of its own. */
function formed(submit: Script['submit'], query: Script['query'], code = 'scripted'): ScriptedProvider {
  return createScriptedProvider(submit, query, { code, referenceOf: formOf })
}

function recoveryWith(...providers: readonly Provider[]): Recovery {
  const recovery = recoveryAt(bench, providersOf(...providers))
  started.push(recovery)
  return recovery
}

async function askAbout(payment: Payment, ...providers: readonly Provider[]): Promise<void> {
  await bench.age(payment, PAST_PROOF_S)
  await recoveryWith(...providers).runOnce()
}

async function namesOf({ resellerId, id }: Payment) {
  const { rows } = await bench.database.query<{
    attempt: number
    reference: string | null
    supplier_id: string
  }>(
    `select attempt, reference, supplier_id from payment_supplier_references
      where reseller_id = $1 and payment_id = $2 order by attempt`,
    [resellerId, id],
  )
  return rows
}

describe('a reference in the form of a supplier', () => {
  it('is kept before the order is sent, and is the reference of the order for ever', async () => {
    const payment = await pay()
    let keptAtSending: unknown
    const provider = formed(
      async () => {
        keptAtSending = await namesOf(payment)
        return PENDING
      },
      () => Promise.resolve(SUCCEEDED),
    )
    await dispatcherAmong(node, providersOf(provider)).send(dispatchOf(payment))
    const reference = formOf({ reference: `W${payment.id}-1` })
    expect(provider.submitted.map((order) => order.reference)).toEqual([reference])
    expect(keptAtSending).toEqual([{ attempt: 1, reference, supplier_id: null }])
    // The configuration has another form by now, or none.
    const { referenceOf: _, ...plain } = provider
    await askAbout(payment, plain)
    expect(provider.asked.map((order) => order.reference)).toEqual([reference])
    expect(await bench.codeOf(payment)).toBe(20)
    expect((await getFulfilledOrder(bench.database, bench.vault, payment)).order.reference).toBe(reference)
    expect((await getAttemptHistory(bench.database, payment)).quote.reference).toBe(reference)
  })

  it('is that of the repetition too, and a new attempt has one of its own', async () => {
    const payment = await pay()
    let answer: 'pending' | 'lost' = 'lost'
    const provider = formed(
      () => Promise.resolve(answer === 'lost' ? { kind: 'unknown', reason: 'no answer' } : PENDING),
      () => Promise.resolve(NOT_FOUND),
    )
    await dispatcherAmong(node, providersOf(provider)).send(dispatchOf(payment))
    answer = 'pending'
    await askAbout(payment, { ...provider, referenceOf: () => 'another-form' })
    const reference = formOf({ reference: `W${payment.id}-1` })
    expect(provider.submitted.map((order) => order.reference)).toEqual([reference, reference])

    const other = await pay()
    const away = formed(() => Promise.resolve(NOT_ACTED), provider.script.query)
    const second = formed(() => Promise.resolve(SUCCEEDED), provider.script.query, 'second')
    await dispatcherAmong(node, providersOf(away, second)).send(dispatchOf(other))
    expect(await namesOf(other)).toMatchObject([
      { attempt: 1, reference: formOf({ reference: `W${other.id}-1` }) },
      { attempt: 2, reference: formOf({ reference: `W${other.id}-2` }) },
    ])
    expect(second.submitted[0]?.reference).toBe(formOf({ reference: `W${other.id}-2` }))
  })

  it('is not kept by a node that lost the attempt, and that node sends nothing', async () => {
    const payment = await pay()
    await takeOver(bench, payment)
    const provider = formed(
      () => Promise.resolve(SUCCEEDED),
      () => Promise.resolve(NOT_FOUND),
    )
    await dispatcherAmong(node, providersOf(provider)).send(dispatchOf(payment))
    expect(provider.submitted).toEqual([])
    expect(await namesOf(payment)).toEqual([])
  })

  it('a reference that belongs to another attempt, or cannot be written, keeps the order from being sent', async () => {
    const [first, second] = [await pay(), await pay()]
    const same = createScriptedProvider(PENDING, NOT_FOUND, { referenceOf: () => `same-${first.id}` })
    const dispatcher = dispatcherAmong(node, providersOf(same))
    await dispatcher.send(dispatchOf(first))
    await dispatcher.send(dispatchOf(second))
    expect(same.submitted).toHaveLength(1)
    expect(dispatcher.problems).toHaveLength(1)
    const wrong = createScriptedProvider(PENDING, NOT_FOUND, { referenceOf: () => 'two words' })
    const third = await pay()
    await dispatcherAmong(node, providersOf(wrong)).send(dispatchOf(third))
    expect(wrong.submitted).toEqual([])
    expect(await bench.codeOf(third)).toBe(47)
  })

  it('names the attempt in a callback of its supplier, and of no other', async () => {
    const payment = await pay()
    const provider = { ...signing('scripted'), referenceOf: formOf }
    const taking = formed(
      () => Promise.resolve(PENDING),
      () => Promise.resolve(PENDING),
    )
    await dispatcherAmong(node, providersOf(taking)).send(dispatchOf(payment))
    const troubles: string[] = []
    const callbacks = createCallbacks({
      database: node.database,
      clock: { nowMs: () => nowMs },
      providers: providersOf(provider, { ...provider, code: 'other' }),
      resolver: node.resolver,
      alerts: createAlerts({ database: node.database, onRaised: () => {} }),
      leaseMs: 60_000,
      onCallbackTrouble: (code, text) => troubles.push(`${code}: ${text}`),
    })
    const reference = formOf({ reference: `W${payment.id}-1` })
    const said = { id: 'evt_formed', reference, outcome: 'succeeded' } as const
    await callbacks.receive('other', requestOf(said, nowMs))
    expect(troubles).toEqual(['other: taken, but it names no payment'])
    await callbacks.receive('scripted', requestOf(said, nowMs))
    expect(await bench.codeOf(payment)).toBe(20)
  })
})

describe("a supplier's own id", () => {
  it('comes with an undecided answer, and is in every question and void from then on', async () => {
    const payment = await pay()
    const provider = createScriptedProvider({ kind: 'pending', supplierId: 'T-7' }, SUCCEEDED)
    await dispatcherAmong(node, providersOf(provider)).send(dispatchOf(payment))
    await askAbout(payment, provider)
    expect(provider.asked.map(({ supplierId }) => supplierId)).toEqual(['T-7'])
    const { order } = await getFulfilledOrder(bench.database, bench.vault, payment)
    expect(order.supplierId).toBe('T-7')
    expect((await getAttemptHistory(bench.database, payment)).attempts[0]?.supplierId).toBe('T-7')
  })

  it('is forgotten when the order is sent again: that sending has an id of its own', async () => {
    const payment = await pay()
    await node.resolver.submit({
      resellerId: payment.resellerId,
      id: payment.id,
      attempt: 1,
      about: { provider: 'scripted', product: 'NOVA' },
      outcome: { kind: 'unknown', reason: 'half an answer', supplierId: 'T-1' },
      nextMs: 1_000,
    })
    const work = { reseller_id: payment.resellerId, payment_id: payment.id, attempt: 1 }
    expect(await namesOf(payment)).toMatchObject([{ supplier_id: 'T-1' }])
    const provider = createScriptedProvider({ kind: 'pending', supplierId: 'T-2' }, NOT_FOUND)
    await askAbout(payment, provider)
    expect(await namesOf(payment)).toMatchObject([{ attempt: work.attempt, supplier_id: 'T-2' }])
  })

  it('is not that of the next attempt', async () => {
    const payment = await pay()
    const { resellerId, id } = payment
    await node.resolver.submit({
      resellerId,
      id,
      attempt: 1,
      about: { provider: 'scripted', product: 'NOVA' },
      outcome: { kind: 'pending', supplierId: 'T-1' },
      nextMs: 1_000,
    })
    await beginAttempt(
      bench.database,
      { reseller_id: resellerId, payment_id: id, attempt: 1 },
      1_000,
      'tested',
    )
    const provider = createScriptedProvider(PENDING, SUCCEEDED)
    await askAbout(payment, provider)
    expect(provider.asked.map(({ reference, supplierId }) => [reference, supplierId])).toEqual([
      [`W${id}-2`, null],
    ])
  })
})
