import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { beginAttempt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import { expectSoundMoney, LEASE_MS, openPaymentsBench, payWith } from '../../../testing/payments/payments.ts'
import { createScriptedProvider, providersOf, UNKNOWN } from '../../../testing/providers/scripted-provider.ts'
import type { Said } from '../../../testing/providers/signing-provider.ts'
import { OUTCOMES, requestOf, signing } from '../../../testing/providers/signing-provider.ts'
import { createAlerts, listAlerts } from '../../alerts/core/service.ts'
import { referenceOf } from '../core/schedule.rules.ts'
import { listChanges } from '../core/sql.ts'
import type { Payment } from '../core/types.ts'
import type { Callbacks } from './callbacks.service.ts'
import { createCallbacks } from './callbacks.service.ts'

let bench: PaymentsBench
let node: Node
let callbacks: Callbacks
const troubles: string[] = []
const nowMs = Date.UTC(2026, 10, 15)

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
  callbacks = openCallbacks(node)
})
afterAll(() => bench.close())
beforeEach(() => {
  troubles.length = 0
})
afterAll(() => expectSoundMoney(bench.database))

function openCallbacks({ database, resolver }: Node): Callbacks {
  return createCallbacks({
    database,
    clock: { nowMs: () => nowMs },
    providers: providersOf(
      signing('scripted'),
      signing('other'),
      { ...signing('once'), canBeAsked: false },
      createScriptedProvider(UNKNOWN, UNKNOWN, { code: 'mute' }),
    ),
    resolver,
    alerts: createAlerts({ database, onRaised: () => {} }),
    leaseMs: LEASE_MS,
    onCallbackTrouble: (provider, text) => troubles.push(`${provider}: ${text}`),
  })
}

let ids = 0
function newId(): string {
  ids += 1
  return `evt_${ids}`
}

function deliver(said: Said, provider = 'scripted') {
  return callbacks.receive(provider, requestOf(said, nowMs))
}

/** Pays, and begins a second attempt at the same provider. */
async function payTwice(): Promise<Payment> {
  const payment = await pay()
  const work = { reseller_id: payment.resellerId, payment_id: payment.id, attempt: 1 }
  await beginAttempt(bench.database, work, LEASE_MS, 'not found')
  return payment
}

async function openOf({ resellerId, id }: Payment): Promise<{ attempt: number; is_due: boolean }[]> {
  const { rows } = await bench.database.query<{ attempt: number; is_due: boolean }>(
    `select attempt, next_at <= now() as is_due from payment_open_attempts
      where reseller_id = $1 and payment_id = $2 order by attempt`,
    [resellerId, id],
  )
  return rows
}

async function pay(change: Parameters<typeof payWith>[2] = {}): Promise<Payment> {
  return payWith(node, await bench.newReseller(100_000n), change)
}

/** Creates a payment that was sent and has no answer, so that it waits for its next question. */
async function payPending(): Promise<Payment> {
  const payment = await pay()
  const { resellerId, id } = payment
  await node.resolver.submit({ resellerId, id, attempt: 1, outcome: { kind: 'pending' }, nextMs: 600_000 })
  return payment
}

const timelineOf = async ({ resellerId, id }: Payment) =>
  (await listChanges(bench.database, resellerId, id, 100)).map(({ kind, detail }) => `${kind}: ${detail}`)

async function isDue(payment: Payment): Promise<boolean> {
  const work = await bench.workOf(payment)
  const { rows } = await bench.database.query<{ now: Date }>('select now()')
  return work !== undefined && rows[0] !== undefined && work.next_at <= rows[0].now
}

const alertsAbout = async (payment: Payment) =>
  (await listAlerts(bench.database, { limit: 1_000, withCleared: true })).filter(
    ({ subject }) => subject === String(payment.id),
  )

describe('a callback', () => {
  it.each([
    ['succeeded', 20, 90_000n],
    ['failed', 48, 100_000n],
  ] as const)(
    '%s ends the payment like any answer, and says where it was heard',
    async (outcome, code, balance) => {
      const payment = await payPending()
      const id = newId()
      expect(await deliver({ id, reference: referenceOf(payment.id, 1), outcome, amount: '1.00' })).toBe(
        'taken',
      )
      expect(await bench.codeOf(payment)).toBe(code)
      expect(await bench.balanceOf(payment.resellerId)).toBe(balance)
      expect((await timelineOf(payment)).at(-1)).toContain(`callback ${id}`)
      expect(troubles).toEqual([])
    },
  )

  it('a callback that comes before the answer to the order ends the payment too', async () => {
    const payment = await pay()
    await deliver({ id: newId(), reference: referenceOf(payment.id, 1), outcome: 'succeeded' })
    expect(await bench.codeOf(payment)).toBe(20)
  })

  it('twice, one after the other or at once, works once and is taken each time', async () => {
    const payment = await payPending()
    const said: Said = { id: newId(), reference: referenceOf(payment.id, 1), outcome: 'failed' }
    const results = await Promise.all(Array.from({ length: 8 }, () => deliver(said)))
    results.push(await deliver(said))
    expect(new Set(results)).toEqual(new Set(['taken']))
    expect(await bench.balanceOf(payment.resellerId)).toBe(100_000n)
    expect((await timelineOf(payment)).filter((row) => row.startsWith('state: Rejected'))).toHaveLength(1)
    expect(await alertsAbout(payment)).toEqual([])
  })

  it('a callback without an outcome makes the question due at once', async () => {
    const payment = await payPending()
    expect(await isDue(payment)).toBe(false)
    await deliver({ id: newId(), reference: referenceOf(payment.id, 1) })
    expect(await isDue(payment)).toBe(true)
    expect(await bench.codeOf(payment)).toBe(1)
  })

  it('never takes the lease of whoever is sending the order', async () => {
    const payment = await pay()
    const before = await bench.workOf(payment)
    await deliver({ id: newId(), reference: referenceOf(payment.id, 1) })
    await deliver({ id: newId(), reference: referenceOf(payment.id, 1), outcome: 'pending' })
    expect(await bench.workOf(payment)).toEqual(before)
  })

  it('a callback with another amount is not believed: it is noted, an operator is told, the provider is asked', async () => {
    const payment = await payPending()
    const said: Said = {
      id: newId(),
      reference: referenceOf(payment.id, 1),
      outcome: 'succeeded',
      amount: '1.01',
    }
    for (let times = 0; times < 3; times += 1) await deliver(said)
    expect(await bench.codeOf(payment)).toBe(1)
    expect(await isDue(payment)).toBe(true)
    const notes = (await timelineOf(payment)).filter((row) => row.startsWith('callback: '))
    expect(notes).toEqual([
      'callback: scripted spoke of 1.01, not of 1.00: not believed, the provider is asked',
    ])
    expect(await alertsAbout(payment)).toMatchObject([{ kind: 'callback_amount', times: 1n }])
  })

  it('a callback in the wrong order changes nothing: pending after the end, failure after success', async () => {
    const payment = await payPending()
    const reference = referenceOf(payment.id, 1)
    for (const outcome of ['succeeded', 'pending', 'failed', 'succeeded'] as const) {
      await deliver({ id: newId(), reference, outcome })
    }
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await bench.balanceOf(payment.resellerId)).toBe(90_000n)
    expect(await alertsAbout(payment)).toMatchObject([{ kind: 'payment_contradiction' }])
  })

  it('a callback under an id that had other content is not believed, and the provider is asked', async () => {
    const payment = await payPending()
    const said: Said = { id: newId(), reference: referenceOf(payment.id, 1) }
    await deliver({ ...said, outcome: 'pending' })
    await deliver({ ...said, outcome: 'succeeded' })
    expect(await bench.codeOf(payment)).toBe(1)
    expect(await isDue(payment)).toBe(true)
  })
})

describe('a callback of a provider that cannot be asked', () => {
  it('counts also under an id that had other content', async () => {
    const payment = await payPending()
    await moveTo(payment, 'once')
    const said: Said = { id: newId(), reference: referenceOf(payment.id, 2) }
    await deliver({ ...said, outcome: 'pending' }, 'once')
    await deliver({ ...said, outcome: 'succeeded' }, 'once')
    expect(await bench.codeOf(payment)).toBe(20)
    await deliver({ ...said, outcome: 'failed' }, 'once')
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await alertsAbout(payment)).toMatchObject([{ kind: 'payment_contradiction' }])
  })

  it('is not believed about another amount, and the timeline says that nobody is asked', async () => {
    const payment = await payPending()
    await moveTo(payment, 'once')
    const reference = referenceOf(payment.id, 2)
    await deliver({ id: newId(), reference, outcome: 'succeeded', amount: '77.00' }, 'once')
    expect(await bench.codeOf(payment)).toBe(1)
    expect((await timelineOf(payment)).at(-1)).toContain('the provider cannot be asked')
  })
})

it('a callback that cannot be understood is in the log, without its content', async () => {
  const payment = await payPending()
  await deliver({ id: newId(), reference: referenceOf(payment.id, 1), outcome: 'unreadable' })
  expect(await bench.codeOf(payment)).toBe(1)
  expect(troubles).toEqual(['scripted: taken, but it decides nothing: a success without a readable pin'])
})

describe('the attempt that a callback names', () => {
  it('an attempt of another provider is not to be spoken of: ignored and noted once', async () => {
    const payment = await payPending()
    const reference = referenceOf(payment.id, 1)
    for (let times = 0; times < 3; times += 1) {
      expect(await deliver({ id: newId(), reference, outcome: 'failed' }, 'other')).toBe('taken')
    }
    expect(await bench.codeOf(payment)).toBe(1)
    expect((await timelineOf(payment)).filter((row) => row.startsWith('callback: '))).toEqual([
      'callback: other spoke of an attempt that it does not have: ignored',
    ])
  })

  it('an attempt that never was is nobody’s', async () => {
    const payment = await payPending()
    await deliver({ id: newId(), reference: referenceOf(payment.id, 2), outcome: 'succeeded' })
    expect(await bench.codeOf(payment)).toBe(1)
  })

  it('after a failover each provider speaks of its own attempt, and a late success of the first counts', async () => {
    const payment = await payPending()
    await moveTo(payment, 'other')
    const [first, second] = [referenceOf(payment.id, 1), referenceOf(payment.id, 2)]
    await deliver({ id: newId(), reference: first, outcome: 'failed' })
    await deliver({ id: newId(), reference: second, outcome: 'succeeded' })
    await deliver({ id: newId(), reference: first, outcome: 'succeeded' }, 'other')
    expect(await bench.codeOf(payment)).toBe(1)
    await deliver({ id: newId(), reference: first, outcome: 'succeeded' })
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await alertsAbout(payment)).toEqual([])
    await deliver({ id: newId(), reference: second, outcome: 'succeeded' }, 'other')
    expect(await alertsAbout(payment)).toMatchObject([{ kind: 'payment_contradiction' }])
  })

  it.each(['W1-1', 'nonsense', '', 'W0-1', "W1'-1"])(
    '%j names no payment: taken and forgotten',
    async (reference) => {
      expect(await deliver({ id: newId(), reference, outcome: 'succeeded' })).toBe('taken')
      expect(troubles).toEqual(['scripted: taken, but it names no payment'])
    },
  )

  it('an id may be anything', async () => {
    for (const id of ['', 'a\0b', '\u{1F600}'.repeat(1_000), "'; --"]) {
      const payment = await payPending()
      await deliver({ id, reference: referenceOf(payment.id, 1), outcome: 'succeeded' })
      expect(await bench.codeOf(payment)).toBe(20)
    }
  })
})

describe('a callback is refused', () => {
  it('a callback is refused without the right signature, or when it is too old, and changes nothing', async () => {
    const payment = await payPending()
    const said: Said = { id: newId(), reference: referenceOf(payment.id, 1), outcome: 'succeeded' }
    expect(await callbacks.receive('scripted', requestOf(said, nowMs, 'wrong'))).toBe('refused')
    expect(await callbacks.receive('scripted', requestOf(said, nowMs - 400_000))).toBe('refused')
    expect(await bench.codeOf(payment)).toBe(1)
    expect(troubles).toEqual(['scripted: refused: signature', 'scripted: refused: age'])
    // A forged callback does not use up the id of the true one.
    expect(await deliver(said)).toBe('taken')
    expect(await bench.codeOf(payment)).toBe(20)
  })

  it('as unknown when nobody has the name, or who has it sends none', async () => {
    const said: Said = { id: newId(), reference: 'W1-1' }
    expect(await deliver(said, 'nobody')).toBe('unknown')
    expect(await deliver(said, 'mute')).toBe('unknown')
    expect(await deliver(said, 'toString')).toBe('unknown')
  })
})

it('a callback whose effect could not be written is not remembered, so that its repetition works', async () => {
  const payment = await payPending()
  const failing = openCallbacks({
    ...node,
    resolver: { ...node.resolver, submit: () => Promise.reject(new Error('the database is away')) },
  })
  const said: Said = { id: newId(), reference: referenceOf(payment.id, 1), outcome: 'succeeded' }
  const request = requestOf(said, nowMs)
  await expect(failing.receive('scripted', request)).rejects.toThrow('away')
  expect(await callbacks.receive('scripted', request)).toBe('taken')
  expect(await bench.codeOf(payment)).toBe(20)
})

it('callbacks are forgotten after some days, and not before', async () => {
  const payment = await payPending()
  const said: Said = { id: newId(), reference: referenceOf(payment.id, 1), outcome: 'pending' }
  await deliver(said)
  const count = async () => {
    const { rows } = await bench.database.query<{ count: bigint }>('select count(*) from provider_callbacks')
    return rows[0]?.count
  }
  const before = await count()
  await callbacks.sweep()
  expect(await count()).toBe(before)
  await bench.database.query(`update provider_callbacks set received_at = received_at - interval '20 days'`)
  await callbacks.sweep()
  expect(await count()).toBe(0n)
})

/** Moves a payment to another provider, as a failover leaves it. */
async function moveTo({ resellerId, id }: Payment, provider: string): Promise<void> {
  await bench.database.query(
    `with moved as (
       update payments set provider = $3 where reseller_id = $1 and id = $2
     ), begun as (
       update payment_work set attempt = 2 where reseller_id = $1 and payment_id = $2
     )
     insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, provider, provider_before, at)
     values ($1, $2, 'attempt', 1, 2, 'attempt 2', $3, 'scripted', now())`,
    [resellerId, id, provider],
  )
}

describe('a callback without a decision about an attempt that is not the present one', () => {
  const HINTS: readonly [string, Omit<Said, 'id' | 'reference'>][] = [
    ['a hint', {}],
    ['pending', { outcome: 'pending' }],
    ['another amount', { outcome: 'succeeded', amount: '77.00' }],
  ]

  it.each(HINTS)(
    '(%s) has the provider asked about that attempt, and takes no lease away',
    async (_, said) => {
      const payment = await payTwice()
      const work = await bench.workOf(payment)
      expect(await deliver({ id: newId(), reference: referenceOf(payment.id, 1), ...said })).toBe('taken')
      expect(await openOf(payment)).toEqual([{ attempt: 1, is_due: true }])
      expect(await bench.workOf(payment)).toEqual(work)
    },
  )

  it.each(HINTS)('(%s) counts also after the end of the payment', async (_, said) => {
    const payment = await payTwice()
    const { resellerId, id } = payment
    await node.resolver.submit({ resellerId, id, attempt: 2, outcome: OUTCOMES.succeeded, nextMs: 0 })
    await deliver({ id: newId(), reference: referenceOf(id, 1), ...said })
    expect(await openOf(payment)).toEqual([{ attempt: 1, is_due: true }])
    expect(await bench.codeOf(payment)).toBe(20)
  })

  it('makes the question about an open attempt due', async () => {
    const payment = await payTwice()
    await node.resolver.submit({ ...payment, attempt: 1, outcome: OUTCOMES.pending, nextMs: 3_600_000 })
    expect(await openOf(payment)).toEqual([{ attempt: 1, is_due: false }])
    await deliver({ id: newId(), reference: referenceOf(payment.id, 1) })
    expect(await openOf(payment)).toEqual([{ attempt: 1, is_due: true }])
  })

  it('has the provider asked again about an attempt that it has decided: it may have taken it back', async () => {
    const payment = await paySucceeded()
    await deliver({ id: newId(), reference: referenceOf(payment.id, 1), outcome: 'pending' })
    expect(await openOf(payment)).toEqual([])
    await deliver({ id: newId(), reference: referenceOf(payment.id, 1) })
    expect(await openOf(payment)).toEqual([{ attempt: 1, is_due: true }])
  })
})

/** Creates a payment that succeeded by its first attempt. */
async function paySucceeded(): Promise<Payment> {
  const payment = await pay()
  const { resellerId, id } = payment
  await node.resolver.submit({ resellerId, id, attempt: 1, outcome: OUTCOMES.succeeded, nextMs: 0 })
  return payment
}
