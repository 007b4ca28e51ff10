import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf, formatDay } from '../../lib/dates.ts'
import type { Node, PaymentsBench } from '../../testing/payments/payments.ts'
import { expectSoundMoney, openPaymentsBench, payWith } from '../../testing/payments/payments.ts'
import { FAILED, OUTPUT, PENDING, SUCCEEDED } from '../../testing/providers/scripted-provider.ts'
import { withdrawFrom } from '../../testing/settlement.ts'
import type { Payment } from '../payments/core/types.ts'
import type { ResolveCommand } from '../payments/outcomes/resolve.service.ts'
import { getPaymentReport } from '../payments/support/support.service.ts'
import { compareSettlement } from './compare.service.ts'
import { importSettlement } from './import.service.ts'
import {
  acceptDifference,
  applyDifference,
  getSettlement,
  listDifferences,
  listSettlements,
} from './service.ts'
import type { Difference, SettlementFile } from './types.ts'

let bench: PaymentsBench
let node: Node
let providers = 0
let provider = ''

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

const today = formatDay(dayOf(Date.now()))

/** Makes a provider for one test, because a provider's day is compared whole. */
function newProvider(): void {
  providers += 1
  provider = `acme${providers}`
}

async function pay(outcome: ResolveCommand['outcome'] | null, change: object = {}): Promise<Payment> {
  const payment = await payWith(node, await bench.newReseller(1_000_000n), { provider, ...change })
  const { resellerId, id } = payment
  if (outcome !== null) await node.resolver.submit({ resellerId, id, outcome, attempt: 1, nextMs: 600_000 })
  return payment
}

const ref = ({ id }: Payment, attempt = 1) => `W${id}-${attempt}`

let names = 0

async function importLines(lines: readonly string[], change: { of?: string; day?: string } = {}) {
  const content = Buffer.from(['ref;sum;state;sn', ...lines].join('\n'))
  names += 1
  const result = await importSettlement(bench.database, {
    provider,
    day: change.day ?? today,
    name: `file-${names}.csv`,
    mapping: {
      separator: ';',
      reference: { column: 'ref', of: change.of ?? 'ours' },
      amount: { column: 'sum' },
      state: { column: 'state', values: { OK: 'succeeded', NOK: 'failed', WAIT: 'pending' } },
      serial_number: { column: 'sn' },
    },
    async *open() {
      yield content
    },
  })
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.problems))
  return compareSettlement(bench.database, result.file.id)
}

const differencesOf = (file: SettlementFile, withClosed = false) =>
  listDifferences(bench.database, file.id, { withClosed, limit: 1_000 })

const shortOf = (differences: readonly Difference[]) =>
  differences.map(({ kind, reference, theirs, ours }) => [kind, reference, theirs, ours])

async function onlyOf(file: SettlementFile): Promise<Difference> {
  const [difference, ...more] = await differencesOf(file)
  if (difference === undefined || more.length > 0) throw new Error(`${more.length + 1} differences`)
  return difference
}

const timelineOf = async (payment: Payment) =>
  (await getPaymentReport(bench, payment.resellerId, { id: payment.id })).timeline.map(
    ({ kind, detail }) => `${kind}: ${detail}`,
  )

describe('a comparison', () => {
  it('a comparison of a day that agrees finds nothing', async () => {
    newProvider()
    const [sold, failed, waiting] = [await pay(SUCCEEDED), await pay(FAILED), await pay(PENDING)]
    const file = await importLines([`${ref(sold)};1;OK;`, `${ref(failed)};1;NOK;`, `${ref(waiting)};1;WAIT;`])
    expect(file).toMatchObject({ lines: 3, openDifferences: 0 })
    expect(await differencesOf(file, true)).toEqual([])
  })

  it('names every difference with its cause', async () => {
    newProvider()
    const sold = await pay(SUCCEEDED)
    const failed = await pay(FAILED)
    const waiting = await pay(PENDING)
    const dear = await pay(SUCCEEDED)
    const unlisted = await pay(SUCCEEDED)
    const broken = await pay(SUCCEEDED)
    const elsewhere = await pay(SUCCEEDED, { provider: 'somebody-else' })
    const file = await importLines([
      `${ref(sold)};1;OK;`,
      `${ref(failed)};1;OK;`,
      `${ref(waiting)};1;OK;`,
      `${ref(dear)};1.50;OK;`,
      `${ref(broken)};1;NOK;`,
      `${ref(sold)};1;OK;`,
      'W77-1;2;OK;',
      `${ref(elsewhere)};1;OK;`,
      `${ref(sold, 2)};1;OK;`,
    ])
    expect(shortOf(await differencesOf(file))).toEqual([
      ['state', ref(failed), 'succeeded', 'failed'],
      ['state', ref(waiting), 'succeeded', 'pending'],
      ['amount', ref(dear), '1.50', '1.00'],
      ['state', ref(broken), 'failed', 'succeeded'],
      ['duplicate_there', ref(sold), 'succeeded 1.00 again, after line 2', 'succeeded'],
      ['missing_here', 'W77-1', 'succeeded 2.00', ''],
      ['missing_here', ref(elsewhere), 'succeeded 1.00', ''],
      ['missing_here', ref(sold, 2), 'succeeded 1.00', ''],
      ['missing_there', ref(unlisted), '', 'succeeded 1.00'],
    ])
    expect(file.openDifferences).toBe(9)
    expect((await getSettlement(bench.database, file.id)).kinds).toContainEqual({
      kind: 'state',
      open: 3,
      accepted: 0,
      agreeing: 0,
    })
  })

  it('again changes nothing, and closes what agrees by now', async () => {
    newProvider()
    const waiting = await pay(PENDING)
    const file = await importLines([`${ref(waiting)};1;OK;`])
    const before = await differencesOf(file)
    await compareSettlement(bench.database, file.id)
    expect(await differencesOf(file)).toEqual(before)
    const { resellerId, id } = waiting
    await node.resolver.submit({ resellerId, id, outcome: SUCCEEDED, attempt: 1, nextMs: 0 })
    expect(await compareSettlement(bench.database, file.id)).toMatchObject({ openDifferences: 0 })
    expect(await differencesOf(file, true)).toMatchObject([{ id: before[0]?.id, closedAs: 'agrees' }])
  })

  it('finds in the next file what the one before did not list, and a second listing there is a duplicate', async () => {
    newProvider()
    const [late, sold] = [await pay(SUCCEEDED), await pay(SUCCEEDED)]
    const first = await importLines([`${ref(sold)};1;OK;`])
    expect(shortOf(await differencesOf(first))).toEqual([['missing_there', ref(late), '', 'succeeded 1.00']])
    const tomorrow = formatDay(dayOf(Date.now()) + 1)
    const second = await importLines([`${ref(late)};1;OK;`, `${ref(sold)};1;OK;`], { day: tomorrow })
    expect(await differencesOf(first)).toEqual([])
    expect(shortOf(await differencesOf(second))).toEqual([
      ['duplicate_there', ref(sold), `succeeded 1.00 again, after file ${first.id}, line 2`, 'succeeded'],
    ])
  })

  it('takes no line for another attempt, and none that is not yet final, for the one of what was sold', async () => {
    newProvider()
    const [waiting, other] = [await pay(SUCCEEDED), await pay(SUCCEEDED)]
    const first = await importLines([`${ref(waiting)};1;WAIT;`, `${ref(other, 2)};1;OK;`])
    const missing = [
      ['missing_there', ref(waiting), '', 'succeeded 1.00'],
      ['missing_there', ref(other), '', 'succeeded 1.00'],
    ]
    const missingOf = async (file: SettlementFile) =>
      shortOf(await differencesOf(file)).filter(([kind]) => kind === 'missing_there')
    expect(await missingOf(first)).toEqual(missing)
    const tomorrow = formatDay(dayOf(Date.now()) + 1)
    await importLines([`${ref(waiting)};1;NOK;`, `${ref(other, 2)};1;OK;`], { day: tomorrow })
    expect(await missingOf(first)).toEqual(missing)
    await importLines([`${ref(waiting)};1;OK;`, `${ref(other)};1;OK;`], { day: tomorrow })
    expect(await missingOf(first)).toEqual([])
  })

  it('a comparison by the provider’s own reference goes by the serial number', async () => {
    newProvider()
    const serial = (serialNumber: string) =>
      ({ kind: 'succeeded', output: { ...OUTPUT, serialNumber } }) as const
    const [one, two] = [await pay(serial('A-1')), await pay(serial('A-2'))]
    const file = await importLines(['A-1;1;OK;', 'A-2;3;OK;', 'A-3;1;OK;'], { of: 'theirs' })
    expect(await differencesOf(file)).toMatchObject([
      { kind: 'amount', reference: 'A-2', paymentId: two.id },
      { kind: 'missing_here', reference: 'A-3' },
    ])
    expect(one.id).not.toBe(two.id)
  })

  it('knows whose an attempt was after a failover', async () => {
    newProvider()
    const payment = await pay(PENDING)
    const { resellerId, id } = payment
    await bench.database.query(
      `with moved as (
         update payments set provider = 'other' where reseller_id = $1 and id = $2
       ), begun as (
         update payment_work set attempt = 2 where reseller_id = $1 and payment_id = $2
       )
       insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, provider, provider_before, at)
       values ($1, $2, 'attempt', 1, 2, 'attempt 2', 'other', $3, now())`,
      [resellerId, id, provider],
    )
    await node.resolver.submit({ resellerId, id, outcome: SUCCEEDED, attempt: 2, nextMs: 0 })
    const agreeing = await importLines([`${ref(payment)};1;NOK;`])
    expect(await differencesOf(agreeing)).toEqual([])
    const acted = await importLines([`${ref(payment)};1;OK;`])
    expect(shortOf(await differencesOf(acted))).toEqual([['state', ref(payment), 'succeeded', 'failed']])
    provider = 'other'
    const theirs = await importLines([`${ref(payment, 2)};1;OK;`])
    expect(await differencesOf(theirs)).toEqual([])
  })

  it('comparisons of two operators at once: the second is refused, or both find the same', async () => {
    newProvider()
    const failed = await pay(FAILED)
    const file = await importLines([`${ref(failed)};1;OK;`])
    await Promise.allSettled(Array.from({ length: 4 }, () => compareSettlement(bench.database, file.id)))
    expect(await differencesOf(file, true)).toHaveLength(1)
  })
})

describe('a difference', () => {
  it.each([
    ['OK', 20, 990_000n, 'state: settlement file'],
    ['NOK', 48, 1_000_000n, 'state: Provider_Rejected; settlement file'],
  ])(
    'a difference of a payment that is not final is applied: it ends as the file says (%s)',
    async (word, code, balance, text) => {
      newProvider()
      const waiting = await pay(PENDING)
      const file = await importLines([`${ref(waiting)};1;${word};SN9`])
      const { id } = await onlyOf(file)
      const closed = await applyDifference(bench, id, { reason: 'their statement' })
      expect(closed).toMatchObject({ closedAs: 'agrees', reason: 'their statement' })
      expect(await bench.codeOf(waiting)).toBe(code)
      expect(await bench.balanceOf(waiting.resellerId)).toBe(balance)
      expect((await timelineOf(waiting)).at(-1)).toBe(`${text} ${file.id}, line 2: their statement`)
      const again = applyDifference(bench, id, { reason: 'again' })
      await expect(again).rejects.toMatchObject({ code: 'already_closed' })
    },
  )

  it('is not applied while somebody is at the payment, who may be about to send it', async () => {
    newProvider()
    const leased = await pay(null)
    const file = await importLines([`${ref(leased)};1;NOK;`])
    const { id } = await onlyOf(file)
    const before = await bench.workOf(leased)
    await expect(applyDifference(bench, id, { reason: 'try' })).rejects.toMatchObject({
      code: 'in_progress',
      publicText: expect.stringContaining(`until ${before?.next_at.toISOString()}`),
    })
    expect([await bench.codeOf(leased), await bench.workOf(leased)]).toEqual([0, before])
    await bench.age(leased, 3_600)
    expect(await applyDifference(bench, id, { reason: 'now' })).toMatchObject({ closedAs: 'agrees' })
    expect(await bench.codeOf(leased)).toBe(48)
  })

  it('is not applied while another line has the same order with the other end, in whichever file', async () => {
    newProvider()
    const waiting = await pay(PENDING)
    const wrong = await importLines([`${ref(waiting)};1;NOK;`])
    const right = await importLines([`${ref(waiting)};1;OK;`])
    for (const file of [wrong, right]) {
      await expect(applyDifference(bench, (await onlyOf(file)).id, { reason: 'try' })).rejects.toMatchObject({
        code: 'contradictory_evidence',
      })
    }
    expect(await bench.codeOf(waiting)).toBe(1)
    await withdrawFrom(bench, wrong.id, 'of another shop')
    await applyDifference(bench, (await onlyOf(right)).id, { reason: 'theirs' })
    expect(await bench.codeOf(waiting)).toBe(20)
  })

  it('is not applied while the amount of its line is in question', async () => {
    newProvider()
    const waiting = await pay(PENDING)
    const file = await importLines([`${ref(waiting)};7;OK;`])
    const [state, amount] = (await differencesOf(file)) as [Difference, Difference]
    expect([state.kind, amount.kind]).toEqual(['state', 'amount'])
    const applied = applyDifference(bench, state.id, { reason: 'try' })
    await expect(applied).rejects.toMatchObject({ code: 'contradictory_evidence' })
    expect(await bench.codeOf(waiting)).toBe(1)
    await acceptDifference(bench, amount.id, { reason: 'with their fee' })
    await applyDifference(bench, state.id, { reason: 'theirs' })
    expect(await bench.codeOf(waiting)).toBe(20)
  })

  it.each([
    ['succeeded there, failed here', FAILED, 'OK'],
    ['failed there, succeeded here', SUCCEEDED, 'NOK'],
  ])('%s is never applied, and moves no money when it is accepted', async (_, outcome, word) => {
    newProvider()
    const payment = await pay(outcome)
    const before = [await bench.codeOf(payment), await bench.balanceOf(payment.resellerId)]
    const file = await importLines([`${ref(payment)};1;${word};`])
    const { id } = await onlyOf(file)
    const applied = applyDifference(bench, id, { reason: 'try' })
    await expect(applied).rejects.toMatchObject({ code: 'not_applicable' })
    const accepted = await acceptDifference(bench, id, { reason: 'written off' })
    expect(accepted).toMatchObject({ closedAs: 'accepted' })
    expect([await bench.codeOf(payment), await bench.balanceOf(payment.resellerId)]).toEqual(before)
    expect((await timelineOf(payment)).at(-1)).toMatch(/^settlement: state: .*; accepted: written off$/)
    await compareSettlement(bench.database, file.id)
    expect(await differencesOf(file)).toEqual([])
    await expect(acceptDifference(bench, id, { reason: 'again' })).rejects.toMatchObject({ status: 409 })
  })

  it('a difference that two operators accept at once is accepted by one of them, and noted once', async () => {
    newProvider()
    const payment = await pay(FAILED)
    const { id } = await onlyOf(await importLines([`${ref(payment)};1;OK;`]))
    const accept = (reason: string) => acceptDifference(bench, id, { reason })
    const ends = await Promise.allSettled([accept('the first'), accept('the second')])
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await timelineOf(payment)).filter((each) => each.startsWith('settlement: '))).toHaveLength(1)
  })

  it('an accepted difference is open again when it says something else', async () => {
    newProvider()
    const waiting = await pay(PENDING)
    const file = await importLines([`${ref(waiting)};1;NOK;`])
    await acceptDifference(bench, (await onlyOf(file)).id, { reason: 'wait' })
    const { resellerId, id } = waiting
    await node.resolver.submit({ resellerId, id, outcome: SUCCEEDED, attempt: 1, nextMs: 0 })
    await compareSettlement(bench.database, file.id)
    expect(await onlyOf(file)).toMatchObject({ theirs: 'failed', ours: 'succeeded' })
  })

  it('about no payment of ours can be accepted', async () => {
    newProvider()
    const { id } = await onlyOf(await importLines(['nonsense;1;OK;']))
    const accepted = await acceptDifference(bench, id, { reason: 'a test of theirs' })
    expect(accepted).toMatchObject({ closedAs: 'accepted' })
  })

  it('needs a reason, and has to exist', async () => {
    await expect(acceptDifference(bench, 1n, { reason: ' ' })).rejects.toMatchObject({ status: 400 })
    for (const end of [acceptDifference, applyDifference]) {
      await expect(end(bench, 2n ** 60n, { reason: 'x' })).rejects.toMatchObject({ status: 404 })
    }
    await expect(compareSettlement(bench.database, 2n ** 60n)).rejects.toMatchObject({ status: 404 })
  })
})

describe('a file that is withdrawn', () => {
  it('hides nothing of other files any more, makes nothing a duplicate, and has no open differences', async () => {
    newProvider()
    const [sold, late] = [await pay(SUCCEEDED), await pay(SUCCEEDED)]
    const first = await importLines([`${ref(sold)};1;OK;`])
    const tomorrow = formatDay(dayOf(Date.now()) + 1)
    const wrong = await importLines([`${ref(late)};1;OK;`, 'X;1;OK;'], { day: tomorrow })
    const third = await importLines([`${ref(late)};1;OK;n`], { day: tomorrow })
    expect(first.openDifferences).toBe(1)
    expect(await differencesOf(first)).toEqual([])
    expect(await onlyOf(third)).toMatchObject({ kind: 'duplicate_there' })
    const withdrawn = await withdrawFrom(bench, wrong.id, 'of another shop')
    expect(withdrawn).toMatchObject({ openDifferences: 0, withdrawnReason: 'of another shop' })
    expect(await differencesOf(wrong, true)).toMatchObject([{ reference: 'X', closedAs: 'withdrawn' }])
    expect([await differencesOf(first), await differencesOf(third)]).toEqual([[], []])
    await withdrawFrom(bench, third.id, 'as well')
    expect(shortOf(await differencesOf(first))).toEqual([['missing_there', ref(late), '', 'succeeded 1.00']])
  })

  it('may be imported again, and is not compared or withdrawn once more', async () => {
    newProvider()
    const wrong = await importLines(['X;1;OK;'])
    await withdrawFrom(bench, wrong.id, 'the wrong day')
    const again = await importLines(['X;1;OK;'])
    expect(again.id).not.toBe(wrong.id)
    expect(await differencesOf(again)).toMatchObject([{ kind: 'missing_here' }])
    await expect(compareSettlement(bench.database, wrong.id)).rejects.toMatchObject({ code: 'withdrawn' })
    const withdraw = (id: bigint, reason: string) => withdrawFrom(bench, id, reason)
    await expect(withdraw(wrong.id, 'again')).rejects.toMatchObject({ code: 'withdrawn' })
    await expect(withdraw(again.id, ' ')).rejects.toMatchObject({ status: 400 })
    await expect(withdraw(2n ** 60n, 'x')).rejects.toMatchObject({ status: 404 })
  })
})

it('files are listed by day and provider, and differences page by page', async () => {
  newProvider()
  const lines = Array.from({ length: 5 }, (_, index) => `X${index};1;OK;`)
  const file = await importLines(lines)
  expect(await listSettlements(bench.database, { provider, limit: 10 })).toEqual([file])
  const first = await listDifferences(bench.database, file.id, { withClosed: false, limit: 3 })
  const after = first.at(-1)?.id
  const second = await listDifferences(bench.database, file.id, { withClosed: false, limit: 3, after })
  expect([...first, ...second].map(({ reference }) => reference)).toEqual(['X0', 'X1', 'X2', 'X3', 'X4'])
  await expect(
    listDifferences(bench.database, file.id, { kind: 'colour', withClosed: false, limit: 3 }),
  ).rejects.toMatchObject({ status: 400 })
})
