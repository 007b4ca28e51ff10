import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recoveryAt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, LEASE_MS, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import type { ScriptedProvider } from '../../../testing/providers/scripted-provider.ts'
import {
  createScriptedProvider,
  NOT_FOUND,
  PENDING,
  providersOf,
  SUCCEEDED,
  UNKNOWN,
} from '../../../testing/providers/scripted-provider.ts'
import type { Said } from '../../../testing/providers/signing-provider.ts'
import { requestOf, signing } from '../../../testing/providers/signing-provider.ts'
import { createAlerts, listAlerts } from '../../alerts/core/service.ts'
import type { QueryAnswer } from '../../providers/port/types.ts'
import { referenceOf } from '../core/schedule.rules.ts'
import { listChanges } from '../core/sql.ts'
import type { Payment } from '../core/types.ts'
import type { Callbacks } from '../fulfil/callbacks.service.ts'
import { createCallbacks } from '../fulfil/callbacks.service.ts'
import { askAboutEnd } from '../fulfil/open-attempts.sql.ts'
import type { Recovery } from '../fulfil/recovery.jobs.ts'

// Words of a supplier against the end of a payment: it took a success back, or it delivered what was given back.

let bench: PaymentsBench
let node: Node
let callbacks: Callbacks
const started: Recovery[] = []
const nowMs = Date.UTC(2026, 10, 15)

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
  const { database, resolver } = node
  callbacks = createCallbacks({
    database,
    clock: { nowMs: () => nowMs },
    providers: providersOf(signing('scripted')),
    resolver,
    alerts: createAlerts({ database, onRaised: () => {} }),
    leaseMs: LEASE_MS,
    onCallbackTrouble: () => {},
  })
})
afterAll(() => bench.close())
beforeEach(async () => {
  // Work that another test left must not be found by this one.
  await bench.database.query(`update payment_work set next_at = now() + interval '1 day'`)
  await bench.database.query('truncate payment_open_attempts')
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((recovery) => recovery.stop()))
  await expectSoundMoney(bench.database)
})

let ids = 0
function newId(): string {
  ids += 1
  return `evt_${ids}`
}

const deliver = (said: Said) => callbacks.receive('scripted', requestOf(said, nowMs))
const asks = (answer: QueryAnswer) => createScriptedProvider(PENDING, answer)

function recoveryWith(provider: ScriptedProvider): Recovery {
  const recovery = recoveryAt(bench, providersOf(provider))
  started.push(recovery)
  return recovery
}

async function payAs(outcome: typeof SUCCEEDED): Promise<Payment> {
  const payment = await payWith(node, await bench.newReseller(100_000n))
  const { resellerId, id } = payment
  await node.resolver.submit({ resellerId, id, attempt: 1, outcome, nextMs: 600_000 })
  return payment
}
const paySucceeded = () => payAs(SUCCEEDED)
const payPending = () => payAs(PENDING)

const timelineOf = async ({ resellerId, id }: Payment) =>
  (await listChanges(bench.database, resellerId, id, 100)).map(({ kind, detail }) => `${kind}: ${detail}`)

const alertsAbout = async ({ id }: Payment) =>
  (await listAlerts(bench.database, { limit: 1_000, withCleared: true })).filter(
    ({ kind, subject }) => kind !== 'case_waiting' && (subject === String(id) || subject === `W${id}-1`),
  )

async function openOf({ id }: Payment): Promise<unknown[]> {
  const { rows } = await bench.database.query(
    'select attempt from payment_open_attempts where payment_id = $1',
    [id],
  )
  return rows
}

async function casesOf({ resellerId, id }: Payment): Promise<unknown[]> {
  const { rows } = await bench.database.query(
    `select c.kind, c.state, array_agg(m.text order by m.id) as messages
       from cases c join case_messages m on m.reseller_id = c.reseller_id and m.case_id = c.id
      where c.reseller_id = $1 and c.payment_id = $2 group by c.id, c.kind, c.state`,
    [resellerId, id],
  )
  return rows
}

describe('a callback that takes a success back', () => {
  it('opens one case with its evidence, however often it comes, and moves no money', async () => {
    const payment = await paySucceeded()
    const reference = referenceOf(payment.id, 1)
    const saying = () => deliver({ id: newId(), reference, outcome: 'reversed' })
    await Promise.all([saying(), saying(), saying()])
    await saying()
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await bench.balanceOf(payment.resellerId)).toBe(90_000n)
    const word = expect.stringContaining(`(${reference}): “REFUNDED to …6789”`)
    expect(await casesOf(payment)).toEqual([{ kind: 'void', state: 'open', messages: [word] }])
    expect(await alertsAbout(payment)).toMatchObject([{ kind: 'payment_reversed', times: 1n }])
    expect((await timelineOf(payment)).filter((row) => row.startsWith('reversal: '))).toEqual([
      expect.stringMatching(`scripted took ${reference} back: “REFUNDED to …6789”; callback evt_`),
    ])
  })

  it('adds to a case that is open already, and opens none for a payment that was given back', async () => {
    const [disputed, failed] = [await paySucceeded(), await payPending()]
    await bench.database.query(`select open_supplier_case($1, $2, 'R-1', 'dispute', 'said before')`, [
      disputed.resellerId,
      disputed.id,
    ])
    await deliver({ id: newId(), reference: referenceOf(failed.id, 1), outcome: 'failed' })
    for (const { id } of [disputed, failed])
      await deliver({ id: newId(), reference: referenceOf(id, 1), outcome: 'reversed' })
    expect(await casesOf(disputed)).toMatchObject([
      { kind: 'dispute', messages: ['said before', expect.stringContaining('REFUNDED')] },
    ])
    expect(await casesOf(failed)).toEqual([])
    expect(await alertsAbout(failed)).toEqual([])
    expect(await bench.balanceOf(failed.resellerId)).toBe(100_000n)
  })

  it('has the supplier asked about a payment that is still open, which ends where the connection says how it failed', async () => {
    const [left, ended] = [await payPending(), await payPending()]
    await deliver({ id: newId(), reference: referenceOf(ended.id, 1), outcome: 'reversed_as_failed' })
    expect(await bench.codeOf(ended)).toBe(1)
    await recoveryWith(asks({ kind: 'reversed', reason: 'REFUNDED', code: 48 })).runOnce()
    await deliver({ id: newId(), reference: referenceOf(left.id, 1), outcome: 'reversed' })
    expect(await bench.codeOf(left)).toBe(1)
    expect(await alertsAbout(left)).toMatchObject([{ kind: 'payment_reversed' }])
    expect(await bench.codeOf(ended)).toBe(48)
    expect(await bench.balanceOf(ended.resellerId)).toBe(100_000n)
    expect([await casesOf(left), await casesOf(ended)]).toEqual([[], []])
  })
})

it('a success that is reported after the money went back opens one case, and moves no money', async () => {
  const payment = await payPending()
  const reference = referenceOf(payment.id, 1)
  for (const outcome of ['failed', 'succeeded', 'succeeded'] as const)
    await deliver({ id: newId(), reference, outcome })
  expect(await bench.codeOf(payment)).toBe(48)
  expect(await bench.balanceOf(payment.resellerId)).toBe(100_000n)
  expect(await casesOf(payment)).toMatchObject([
    { kind: 'dispute', state: 'open', messages: [expect.stringContaining('carried out')] },
  ])
  expect(await alertsAbout(payment)).toMatchObject([{ kind: 'payment_contradiction' }])
})

describe('an attempt that ended its payment and is asked about again', () => {
  async function payAsked(): Promise<Payment> {
    const payment = await paySucceeded()
    expect(await askAboutEnd(bench.database, { ...payment, attempt: null })).toBe(true)
    return payment
  }

  it('was taken back: a case is opened once, nothing moves, and it is not asked about any more', async () => {
    const payment = await payAsked()
    const takesBack = asks({ kind: 'reversed', reason: 'REFUNDED' })
    await recoveryWith(takesBack).runOnce()
    await askAboutEnd(bench.database, { ...payment, attempt: 1 })
    await recoveryWith(takesBack).runOnce()
    expect(takesBack.asked).toHaveLength(2)
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await openOf(payment)).toEqual([])
    expect(await casesOf(payment)).toMatchObject([{ kind: 'void', state: 'open' }])
    expect(await alertsAbout(payment)).toMatchObject([{ kind: 'payment_reversed' }])
  })

  it.each<[string, QueryAnswer, number]>([
    ['says the same again', SUCCEEDED, 1],
    ['has forgotten it', NOT_FOUND, 1],
    ['says nothing', UNKNOWN, 5],
  ])('is closed without a word to anybody when its supplier %s', async (_, answer, times) => {
    const payment = await payAsked()
    const provider = asks(answer)
    for (let turn = 0; turn < 7; turn += 1) {
      await recoveryWith(provider).runOnce()
      await bench.database.query(`update payment_open_attempts set next_at = now()`)
    }
    expect(provider.asked).toHaveLength(times)
    expect(await openOf(payment)).toEqual([])
    expect(await alertsAbout(payment)).toEqual([])
    expect(await bench.codeOf(payment)).toBe(20)
  })

  it('is never sent again to a supplier that is asked by sending', async () => {
    const payment = await payAsked()
    const terms = { minIntervalMs: 1_000, notAfterMs: 80 * 86_400_000 }
    const provider = createScriptedProvider(PENDING, SUCCEEDED, { asksByRepeating: terms })
    await recoveryWith(provider).runOnce()
    expect(provider.asked).toEqual([])
    expect(await openOf(payment)).toEqual([])
  })
})
