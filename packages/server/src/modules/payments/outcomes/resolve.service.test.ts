import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginAttempt } from '../../../testing/payments/dispatching.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  expectSoundMoney,
  newRefid,
  openPaymentsBench,
  payWith,
  untilWaiting,
} from '../../../testing/payments/payments.ts'
import { findPaymentById } from '../core/records.service.ts'
import { listChanges } from '../core/sql.ts'
import type { Payment } from '../core/types.ts'
import type { ResolveCommand } from './resolve.service.ts'
import { createResolver } from './resolve.service.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

const OUTPUT = {
  serialNumber: 'SN "1"',
  pin: '1234\\5678',
  expiry: '20271115',
  voucherLink: '',
  note: 'Dial {it}.',
}
const SUCCEEDED = { kind: 'succeeded', output: OUTPUT } as const
const FAILED = { kind: 'failed', code: 48, reason: 'Rejected' } as const
const PENDING = { kind: 'pending' } as const
const VOIDED = { kind: 'voided' } as const

function say(
  { resellerId, id }: Payment,
  outcome: ResolveCommand['outcome'],
  attempt?: number,
): Promise<boolean> {
  const command = { resellerId, id, outcome, nextMs: 5_000 }
  return node.resolver.submit(attempt === undefined ? command : { ...command, attempt })
}

async function pay(balance = 100_000n): Promise<Payment> {
  return payWith(node, await bench.newReseller(balance), { refid: newRefid() })
}

describe('an outcome', () => {
  it('succeeded is written with what it gave, and the money stays taken', async () => {
    const payment = await pay()
    expect(await say(payment, SUCCEEDED)).toBe(true)
    const stored = await findPaymentById(bench.database, bench.vault, payment.resellerId, payment.id)
    expect(stored).toMatchObject({ code: 20, output: OUTPUT, balanceAfter: 90_000n })
    expect(await bench.balanceOf(payment.resellerId)).toBe(90_000n)
    expect(await bench.workOf(payment)).toBeUndefined()
    const { rows } = await bench.database.query<{ sealed_output: Buffer }>(
      'select sealed_output from payments where reseller_id = $1 and id = $2',
      [payment.resellerId, payment.id],
    )
    expect(rows[0]?.sealed_output.includes(OUTPUT.pin)).toBe(false)
  })

  it('failed gives the money back as an entry of its own, and its reason replaces the remarks', async () => {
    const payment = await pay()
    expect(await say(payment, FAILED)).toBe(true)
    const stored = await findPaymentById(bench.database, bench.vault, payment.resellerId, payment.id)
    expect(stored).toMatchObject({ code: 48, cost: 10_000n, balanceAfter: 100_000n, remarks: 'Rejected' })
    expect((await bench.entriesOf(payment.resellerId)).map(({ kind, amount }) => [kind, amount])).toEqual([
      ['deposit', 100_000n],
      ['payment', -10_000n],
      ['refund', 10_000n],
    ])
  })

  it.each([PENDING, { kind: 'unknown', reason: 'no answer' } as const])(
    '$kind leaves the money taken and says when to ask next',
    async (outcome) => {
      const payment = await pay()
      expect(await say(payment, outcome)).toBe(true)
      expect(await say(payment, outcome)).toBe(false)
      expect(await bench.codeOf(payment)).toBe(1)
      expect(await bench.balanceOf(payment.resellerId)).toBe(90_000n)
      expect(await bench.workOf(payment)).toMatchObject({ attempt: 1, questions: 2, is_leased: false })
    },
  )

  it('voided gives back what succeeded', async () => {
    const payment = await pay()
    await say(payment, SUCCEEDED)
    expect(await say(payment, VOIDED)).toBe(true)
    expect(await bench.codeOf(payment)).toBe(53)
    expect(await bench.balanceOf(payment.resellerId)).toBe(100_000n)
  })

  it('is in the timeline once for every move that was made', async () => {
    const payment = await pay()
    for (const outcome of [PENDING, PENDING, SUCCEEDED, SUCCEEDED, VOIDED, VOIDED])
      await say(payment, outcome)
    const changes = await listChanges(bench.database, payment.resellerId, payment.id, 100)
    expect(changes.map(({ kind, code }) => `${kind} ${code}`)).toEqual(['state 1', 'state 20', 'state 53'])
  })
})

describe('a resolved payment', () => {
  it.each([
    ['a failure after success', SUCCEEDED, FAILED, 20, 90_000n],
    ['a success after failure', FAILED, SUCCEEDED, 48, 100_000n],
    ['a second success', SUCCEEDED, SUCCEEDED, 20, 90_000n],
    ['a second failure', FAILED, FAILED, 48, 100_000n],
    ['a pending after success', SUCCEEDED, PENDING, 20, 90_000n],
    ['a void of a failure', FAILED, VOIDED, 48, 100_000n],
  ])('%s is not written', async (_, first, second, code, balance) => {
    const payment = await pay()
    expect(await say(payment, first)).toBe(true)
    const before = await findPaymentById(bench.database, bench.vault, payment.resellerId, payment.id)
    expect(await say(payment, second)).toBe(false)
    expect(await findPaymentById(bench.database, bench.vault, payment.resellerId, payment.id)).toEqual(before)
    expect(await bench.codeOf(payment)).toBe(code)
    expect(await bench.balanceOf(payment.resellerId)).toBe(balance)
  })

  it('twice in one batch moves along the table in the order of the words', async () => {
    const payment = await pay()
    const words = [PENDING, SUCCEEDED, FAILED, VOIDED, VOIDED].map((outcome) => say(payment, outcome))
    expect(await Promise.all(words)).toEqual([true, true, false, true, false])
    expect(await bench.balanceOf(payment.resellerId)).toBe(100_000n)
  })
})

describe('a success that is told again', () => {
  const NOTHING = { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' }
  const sold = (output: Partial<typeof NOTHING>) =>
    ({ kind: 'succeeded', output: { ...NOTHING, ...output } }) as const
  const outputOf = async ({ resellerId, id }: Payment) =>
    (await findPaymentById(bench.database, bench.vault, resellerId, id))?.output
  const timelineOf = async ({ resellerId, id }: Payment) =>
    (await listChanges(bench.database, resellerId, id, 100)).map(({ kind, detail }) => `${kind}: ${detail}`)

  it.each([1, undefined])(
    'a success of attempt %s that is told again gives the PIN that the first did not have; of two PINs the first stays',
    async (attempt) => {
      const payment = await pay()
      expect(await say(payment, sold({ serialNumber: 'S1' }), 1)).toBe(true)
      expect(await say(payment, sold({ serialNumber: 'S2', pin: '1111', expiry: '20271115' }), attempt)).toBe(
        false,
      )
      const filled = { ...NOTHING, serialNumber: 'S1', pin: '1111', expiry: '20271115' }
      expect(await outputOf(payment)).toEqual(filled)
      await say(payment, sold({ pin: '2222', note: 'of the other' }), attempt)
      await say(payment, sold({}), attempt)
      expect(await outputOf(payment)).toEqual(filled)
      expect(await timelineOf(payment)).toEqual(['state: ', 'output: given later: PIN or link, expiry'])
    },
  )

  it('a success that is told again in one batch with others is filled in as well', async () => {
    const payments = [await pay(), await pay(), await pay()] as const
    await say(payments[0], sold({}), 1)
    await say(payments[2], sold({}), 1)
    const words = payments.map((payment, index) => say(payment, sold({ pin: `${index}` }), 1))
    expect(await Promise.all([...words, say(payments[2], VOIDED)])).toEqual([false, true, false, true])
    expect((await Promise.all(payments.map(outputOf))).map((output) => output?.pin)).toEqual(['0', '1', '2'])
  })

  it('a success of another attempt than the one that succeeded fills in nothing: it is a contradiction', async () => {
    const payment = await pay()
    await say(payment, sold({}), 1)
    await say(payment, sold({ pin: '3333' }), 2)
    expect((await outputOf(payment))?.pin).toBe('')
    expect((await timelineOf(payment)).at(-1)).toMatch(/^contradiction: /)
  })

  it('a success that is told again fills in its own payment alone, and only fields that are empty', async () => {
    const reseller = await bench.newReseller(100_000n)
    const [bare, full] = [await payWith(node, reseller), await payWith(node, reseller)]
    await say(bare, sold({ serialNumber: 'S1' }), 1)
    await say(full, sold({ pin: '1111', note: 'first' }), 1)
    await say(full, sold({ pin: '2222', serialNumber: 'S2' }), 1)
    await say(full, sold({ note: 'second', expiry: '20271115' }), 1)
    await say(bare, sold({ note: 'third' }), 1)
    expect([await outputOf(bare), await outputOf(full)]).toEqual([
      { ...NOTHING, serialNumber: 'S1', note: 'third' },
      { ...NOTHING, pin: '1111', note: 'first', expiry: '20271115' },
    ])
    expect((await timelineOf(full)).at(-1)).toBe('output: given later: expiry')
  })

  it('a success that is told again fills in a payment also where no timeline says which attempt succeeded', async () => {
    const payment = await pay()
    await say(payment, sold({}), 1)
    await bench.database.query('delete from payment_changes where payment_id = $1', [payment.id])
    await say(payment, sold({ serialNumber: 'S1' }), 1)
    expect((await outputOf(payment))?.serialNumber).toBe('S1')
  })

  it('fills in nothing of what was voided', async () => {
    const payment = await pay()
    for (const outcome of [sold({}), VOIDED, sold({ pin: '4444' })]) await say(payment, outcome, 1)
    expect((await outputOf(payment))?.pin).toBe('')
  })
})

it('no payment and no refund is dated before the entry it follows, whatever the clock says', async () => {
  const first = await pay()
  const { rows } = await bench.database.query<{ ahead: Date }>(
    `update wallets set last_entry_at = last_entry_at + interval '1 hour' where reseller_id = $1
     returning last_entry_at as ahead`,
    [first.resellerId],
  )
  await payWith(node, first.resellerId, { refid: newRefid() })
  await say(first, FAILED)
  const dated = await bench.database.query<{ kind: string; is_before: boolean }>(
    'select kind, created_at < $2 as is_before from transfers where reseller_id = $1 order by sequence desc limit 2',
    [first.resellerId, rows[0]?.ahead],
  )
  expect(dated.rows).toEqual([
    { kind: 'refund', is_before: false },
    { kind: 'payment', is_before: false },
  ])
})

it('a void of what is not final changes nothing, and somebody still sees to the payment', async () => {
  const payment = await pay()
  expect(await say(payment, VOIDED)).toBe(false)
  expect(await bench.workOf(payment)).toMatchObject({ attempt: 1, is_leased: true })
  await say(payment, PENDING)
  expect(await say(payment, VOIDED)).toBe(false)
  expect(await bench.workOf(payment)).toMatchObject({ attempt: 1, is_leased: false })
})

it('one that cannot be written fails alone in its batch', async () => {
  const payments = [await pay(), await pay(), await pay()]
  const [first, second, third] = payments as [Payment, Payment, Payment]
  const results = await Promise.allSettled([
    say(first, SUCCEEDED),
    say(second, { ...FAILED, reason: 'a\0b' }),
    say(third, FAILED),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await Promise.all(payments.map(bench.codeOf))).toEqual([20, 0, 48])
})

describe('a word about an attempt that is no longer the present one', () => {
  async function onSecondAttempt(): Promise<Payment> {
    const payment = await pay()
    const work = { reseller_id: payment.resellerId, payment_id: payment.id, attempt: 1, code: 0 } as const
    expect(await beginAttempt(bench.database, work, 60_000, 'test')).toBeInstanceOf(Date)
    return payment
  }

  it('does not fail the payment: the present attempt may be about to act', async () => {
    const payment = await onSecondAttempt()
    expect(await say(payment, FAILED, 1)).toBe(false)
    expect(await bench.codeOf(payment)).toBe(0)
    expect(await bench.balanceOf(payment.resellerId)).toBe(90_000n)
    expect(await bench.workOf(payment)).toMatchObject({ attempt: 2, is_leased: true })
    expect(await say(payment, FAILED, 2)).toBe(true)
    expect(await bench.codeOf(payment)).toBe(48)
  })

  it('does not end the lease of whoever has the present one', async () => {
    const payment = await onSecondAttempt()
    const before = await bench.workOf(payment)
    expect(await say(payment, PENDING, 1)).toBe(false)
    expect(await bench.workOf(payment)).toEqual(before)
  })

  it('counts when it is a success', async () => {
    const payment = await onSecondAttempt()
    expect(await say(payment, SUCCEEDED, 1)).toBe(true)
    expect(await bench.codeOf(payment)).toBe(20)
    expect(await bench.workOf(payment)).toBeUndefined()
  })

  it('does not stand in the way of a word about the payment itself', async () => {
    const payment = await onSecondAttempt()
    expect(await say(payment, FAILED)).toBe(true)
    expect(await bench.codeOf(payment)).toBe(48)
  })
})

it('a node learns of each commit before and after it, of what moved, and of what contradicts', async () => {
  const steps: string[] = []
  const { resellerId, id } = await pay()
  const resolver = createResolver({
    database: node.database,
    vault: bench.vault,
    failpoint: (name) => steps.push(name),
    onMoved: ({ outcome }) => steps.push(`${outcome.kind} moved`),
    onContradiction: ({ outcome }) => steps.push(`${outcome.kind} contradicts`),
    onCommitted: () => steps.push('told'),
  })
  const stepsOf = async (outcome: ResolveCommand['outcome']) => {
    await resolver.submit({ resellerId, id, outcome, attempt: 1, nextMs: 5_000 })
    return steps.splice(0)
  }
  expect(await stepsOf(PENDING)).toEqual(['resolve.before', 'pending moved', 'resolve.committed', 'told'])
  expect(await stepsOf(SUCCEEDED)).toEqual(['resolve.before', 'succeeded moved', 'resolve.committed', 'told'])
  expect(await stepsOf(FAILED)).toEqual(['refund.before', 'failed contradicts', 'refund.committed', 'told'])
  expect(await stepsOf(VOIDED)).toEqual(['refund.before', 'voided moved', 'refund.committed', 'told'])
  expect(await stepsOf(VOIDED)).toEqual(['refund.before', 'refund.committed', 'told'])
})

it('a word that was heard elsewhere is on the timeline with its source, and an unknown outcome with its reason', async () => {
  const detailOf = async (outcome: ResolveCommand['outcome'], evidence?: string) => {
    const { resellerId, id } = await pay()
    const command = { resellerId, id, outcome, nextMs: 5_000 }
    await node.resolver.submit(evidence === undefined ? command : { ...command, evidence })
    return (await listChanges(bench.database, resellerId, id, 10)).at(-1)?.detail
  }
  const unknown = { kind: 'unknown', reason: 'no answer' } as const
  expect(await detailOf(unknown)).toBe('no answer')
  expect(await detailOf({ kind: 'unknown', reason: 'x'.repeat(500) })).toBe('x'.repeat(200))
  expect(await detailOf(unknown, 'asked by an operator')).toBe('asked by an operator')
  expect(await detailOf(FAILED, 'statement of May')).toBe('Rejected; statement of May')
  expect(await detailOf(FAILED)).toBe('Rejected')
})

it('a wallet that somebody holds delays its own refunds, and neither successes nor refunds of others', async () => {
  const resellerId = await bench.newReseller(100_000n)
  const [failed, voided, succeeded] = [
    await payWith(node, resellerId),
    await payWith(node, resellerId),
    await payWith(node, resellerId),
  ]
  const other = await pay()
  await say(voided, SUCCEEDED)
  expect(node.resolver.waiting).toBe(0)
  const delayed = await bench.database.transaction(async (tx) => {
    await tx.query('select from hold_wallet($1)', [resellerId])
    const refunds = [say(failed, FAILED), say(voided, VOIDED)]
    expect(await Promise.all([say(succeeded, SUCCEEDED), say(other, FAILED)])).toEqual([true, true])
    expect(await Promise.all([failed, voided].map(bench.codeOf))).toEqual([0, 20])
    expect(node.resolver.waiting).toBe(2)
    expect(node.resolver.progress.stalledMs).toBe(0)
    return { refunds }
  })
  expect(await Promise.all(delayed.refunds)).toEqual([true, true])
  expect(await bench.balanceOf(resellerId)).toBe(90_000n)
})

it('the payments of a batch are locked by account and id, whatever the order in which their successes were heard', async () => {
  const accounts = [await bench.newReseller(100_000n), await bench.newReseller(100_000n)] as const
  const [first, second, third] = [
    await payWith(node, accounts[0]),
    await payWith(node, accounts[0]),
    await payWith(node, accounts[1]),
  ]
  const lock = 'select from payment_work where reseller_id = $1 and payment_id = $2 for update nowait'
  const words = await bench.database.transaction(async (tx) => {
    await tx.query(lock, [first.resellerId, first.id])
    const said = [third, second, first].map((payment) => say(payment, SUCCEEDED))
    await untilWaiting(bench.database, 'resolve_payments', 1)
    // The batch waits for the first, and has locked none of the others yet.
    for (const { resellerId, id } of [second, third]) {
      expect((await bench.database.query(lock, [resellerId, id])).rowCount).toBe(1)
    }
    return { said }
  })
  expect(await Promise.all(words.said)).toEqual([true, true, true])
})
