import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CasesBench, VoidingProvider } from '../../testing/cases.ts'
import {
  APPROVED,
  BILL,
  createVoidingProvider,
  openCasesBench,
  openVoid,
  REFUSED,
  UNDECIDED,
  UNHEARD,
} from '../../testing/cases.ts'
import { beginAttempt } from '../../testing/dispatching.ts'
import { expectSoundMoney, LEASE_MS, payWith } from '../../testing/payments.ts'
import {
  createScriptedProvider,
  FAILED,
  NEVER,
  providersOf,
  SUCCEEDED,
} from '../../testing/scripted-provider.ts'
import { listChanges } from '../payments/sql.ts'
import type { Payment } from '../payments/types.ts'
import type { Provider } from '../providers/types.ts'
import { approveCase, refuseCase, takeCase } from './operators.service.ts'
import type { Cases } from './service.ts'

let bench: CasesBench
let cases: Cases
let resellerId: bigint

beforeAll(async () => {
  bench = await openCasesBench()
  cases = bench.casesAt('production')
})
afterAll(() => bench.close())
beforeEach(async () => {
  // Whatever an earlier test left to be asked for is not this one's.
  await bench.database.query('truncate case_work')
  resellerId = await bench.newReseller(100_000n)
})
afterEach(() => expectSoundMoney(bench.database))

const desk = () => ({ database: bench.database, environment: 'production' as const })

/** A case of a void that is to be asked for, and a node that asks this provider. */
async function openOne(provider: Provider, settings: { leaseMs?: number } = {}) {
  const payment = await bench.succeed(resellerId)
  const number = await openVoid(cases, payment)
  return { payment, number, voiding: bench.voidingAt(providersOf(provider), settings) }
}

async function expectUntouched(payment: Payment): Promise<void> {
  expect(await bench.codeOf(payment)).toBe(20)
  expect(await bench.balanceOf(resellerId)).toBe(90_000n)
}

async function expectVoided(payment: Payment): Promise<void> {
  expect(await bench.codeOf(payment)).toBe(53)
  expect(await bench.balanceOf(resellerId)).toBe(100_000n)
  const refunds = (await bench.entriesOf(resellerId)).filter(({ kind }) => kind === 'refund')
  expect(refunds).toMatchObject([{ amount: 10_000n, payment_id: payment.id }])
}

describe('what the provider approves', () => {
  it('is refunded, voided, written on the timeline and told, and its case is resolved', async () => {
    const { payment, number, voiding } = await openOne(createVoidingProvider(APPROVED))
    expect(await voiding.runOnce()).toBe(1)
    await expectVoided(payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'resolved', is_asked: false })
    expect(await bench.messagesOf(number)).toMatchObject([
      { author: 'reseller' },
      { author: 'system', text: expect.stringContaining('approved') },
    ])
    expect((await listChanges(bench.database, resellerId, payment.id, 10)).at(-1)).toMatchObject({
      kind: 'state',
      code: 53,
      detail: `Refund; case ${number}: void approved by scripted`,
    })
    const told = (await bench.factsOf(resellerId)).map(({ type }) => type)
    expect(told).toEqual(['case.opened', 'case.resolved'])
    expect(await bench.noticesOf(resellerId)).toHaveLength(2)
    const { rows } = await bench.database.query<{ source: string; at: Date }>(
      `select source, xmin::text as commit from event_facts
        where reseller_ids = array[$1::bigint] and id > (select max(id) from event_facts where type = 'case.opened'
          and reseller_ids = array[$1::bigint]) order by id`,
      [resellerId],
    )
    expect(rows.map(({ source }) => source)).toEqual(['moved', 'refunded', 'own'])
    expect(new Set(rows.map((row) => (row as unknown as { commit: string }).commit)).size).toBe(1)
    expect(voiding.problems).toEqual([])
  })

  it('is asked for by the reference of the attempt that succeeded, at the provider that had it', async () => {
    const [first, second] = [
      createVoidingProvider(REFUSED, 'first'),
      createVoidingProvider(APPROVED, 'second'),
    ]
    const payment = await payWith(bench.node, resellerId, {
      product: BILL,
      provider: 'first',
      extras: { icNumber: '900101145678' },
    })
    await beginAttempt(
      bench.database,
      { reseller_id: resellerId, payment_id: payment.id, attempt: 1 },
      LEASE_MS,
      'test',
    )
    await bench.database.query(
      `update payment_changes set provider = 'second' where payment_id = $1 and kind = 'attempt'`,
      [payment.id],
    )
    await bench.database.query(`update payments set provider = 'second' where id = $1`, [payment.id])
    await bench.node.resolver.submit({
      resellerId,
      id: payment.id,
      outcome: SUCCEEDED,
      attempt: 2,
      nextMs: 0,
    })
    await openVoid(cases, payment)
    await bench.voidingAt(providersOf(first, second)).runOnce()
    expect(first.voidsAsked).toEqual([])
    expect(second.voidsAsked).toMatchObject([
      {
        reference: `W${payment.id}-2`,
        productCode: BILL,
        account: payment.account,
        icNumber: '900101145678',
      },
    ])
    await expectVoided(payment)
  })

  it('after the case was refused moves nothing, and an operator is told', async () => {
    const provider = createVoidingProvider(APPROVED)
    const { payment, number, voiding } = await openOne(provider)
    provider.answer = async () => {
      await refuseCase(desk(), number, 'The biller said no on the phone')
      return APPROVED
    }
    await voiding.runOnce()
    await expectUntouched(payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'refused' })
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'void_contradiction', severity: 'critical' }])
  })

  it('after an operator approved it is not refunded again', async () => {
    const provider = createVoidingProvider(APPROVED)
    const { payment, number, voiding } = await openOne(provider)
    provider.answer = async () => {
      await approveCase(desk(), number, { evidence: 'letter' })
      return APPROVED
    }
    await voiding.runOnce()
    await expectVoided(payment)
    expect(await bench.alertsAbout(number)).toEqual([])
    expect(await bench.messagesOf(number)).toHaveLength(2)
  })

  it('although the provider said meanwhile that the order had failed is refunded once', async () => {
    const provider = createVoidingProvider(APPROVED)
    const { payment, number, voiding } = await openOne(provider)
    const contradict = () =>
      bench.node.resolver.submit({ resellerId, id: payment.id, outcome: FAILED, attempt: 1, nextMs: 0 })
    expect(await contradict()).toBe(false)
    await expectUntouched(payment)
    provider.answer = async () => {
      await contradict()
      return APPROVED
    }
    await voiding.runOnce()
    expect(await contradict()).toBe(false)
    await expectVoided(payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'resolved' })
  })
})

describe('what the provider refuses', () => {
  it('is refused with its reason, and stays paid', async () => {
    const { payment, number, voiding } = await openOne(createVoidingProvider(REFUSED))
    await voiding.runOnce()
    await expectUntouched(payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'refused', is_asked: false })
    expect((await bench.messagesOf(number)).at(-1)).toEqual({
      author: 'system',
      text: 'The biller refused the void: too late',
    })
    expect((await bench.factsOf(resellerId)).at(-1)).toMatchObject({
      type: 'case.refused',
      data: { number, state: 'refused', transaction_id: String(payment.id) },
    })
    expect(await voiding.runOnce()).toBe(0)
  })

  it('after an operator approved it stays refunded, and an operator is told', async () => {
    const provider = createVoidingProvider(REFUSED)
    const { payment, number, voiding } = await openOne(provider)
    provider.answer = async () => {
      await approveCase(desk(), number, { evidence: 'letter' })
      return REFUSED
    }
    await voiding.runOnce()
    await expectVoided(payment)
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'void_contradiction', severity: 'critical' }])
  })
})

describe('what the provider does not decide', () => {
  it.each([
    ['pending', UNDECIDED],
    ['unknown', UNHEARD],
  ])('%s: is asked again later, and never refunded by guess', async (_, answer) => {
    const provider = createVoidingProvider(answer)
    const { payment, number, voiding } = await openOne(provider)
    for (let questions = 1; questions <= 3; questions += 1) {
      expect(await voiding.runOnce()).toBe(1)
      expect(await voiding.runOnce()).toBe(0)
      expect(await bench.caseOf(number)).toMatchObject({ state: 'open', is_asked: true, questions })
      await bench.ageCase(number, 60)
    }
    await expectUntouched(payment)
    expect(new Set(provider.voidsAsked.map(({ reference }) => reference)).size).toBe(1)
    provider.answer = () => APPROVED
    await voiding.runOnce()
    await expectVoided(payment)
  })

  it('because it throws, is unknown', async () => {
    const provider = createVoidingProvider(APPROVED)
    provider.answer = () => Promise.reject(new Error('a bug in the connector'))
    const { payment, number, voiding } = await openOne(provider)
    await voiding.runOnce()
    await expectUntouched(payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open', questions: 1 })
  })

  it('because it never answers, is let go before the lease ends', async () => {
    const provider = createVoidingProvider(APPROVED)
    provider.answer = () => NEVER
    const { number, voiding } = await openOne(provider, { leaseMs: 200 })
    await voiding.runOnce()
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open', questions: 1 })
  })

  it('by the due time is an operator’s, once, and the provider is still asked', async () => {
    const provider = createVoidingProvider(UNDECIDED)
    const { payment, number, voiding } = await openOne(provider)
    await voiding.runOnce()
    expect(await voiding.watchOnce()).toBe(0)
    await bench.ageCase(number, 3 * 86_400)
    expect(await voiding.watchOnce()).toBe(1)
    expect(await voiding.watchOnce()).toBe(0)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'in_progress', is_asked: true })
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'case_overdue', severity: 'warning' }])
    expect((await bench.factsOf(resellerId)).at(-1)).toMatchObject({ type: 'case.updated' })
    await expectUntouched(payment)
    provider.answer = () => APPROVED
    expect(await voiding.runOnce()).toBe(1)
    await expectVoided(payment)
    expect(await bench.alertsAbout(number)).toEqual([])
  })
})

describe('a case that waits for an operator', () => {
  it('is one whose provider takes no voids', async () => {
    const { payment, number, voiding } = await openOne(createScriptedProvider(SUCCEEDED))
    await voiding.runOnce()
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open', is_asked: false })
    await expectUntouched(payment)
    await approveCase(desk(), number, { evidence: 'letter of 3 March' })
    await expectVoided(payment)
    expect((await listChanges(bench.database, resellerId, payment.id, 10)).at(-1)).toMatchObject({
      code: 53,
      detail: `Refund; case ${number}: letter of 3 March`,
    })
  })

  it('is told of by an alert past its due time, and stays as it is', async () => {
    const { number, voiding } = await openOne(createScriptedProvider(SUCCEEDED))
    await voiding.runOnce()
    await bench.ageCase(number, 3 * 86_400)
    await voiding.watchOnce()
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open' })
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'case_overdue', severity: 'warning' }])
    await refuseCase(desk(), number, 'No')
    expect(await bench.alertsAbout(number)).toEqual([])
  })

  it('is never late in staging, where it is only simulated', async () => {
    const payment = await bench.succeed(resellerId)
    const number = await openVoid(bench.casesAt('staging'), payment)
    await bench.ageCase(number, 30 * 86_400)
    await bench.voidingAt(providersOf()).watchOnce()
    expect(await bench.alertsAbout(number)).toEqual([])
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open' })
  })

  it('is asked for by the provider when it is configured again', async () => {
    const { payment, number } = await openOne(createVoidingProvider(APPROVED))
    await bench.voidingAt(providersOf()).runOnce()
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open', is_asked: true, questions: 1 })
    await bench.ageCase(number, 60)
    await bench.voidingAt(providersOf(createVoidingProvider(APPROVED))).runOnce()
    await expectVoided(payment)
  })
})

describe('an operator', () => {
  const provider: VoidingProvider = createVoidingProvider(UNDECIDED)

  it('takes a case once, and closes it once', async () => {
    const { payment, number } = await openOne(provider)
    expect(await takeCase(desk(), number)).toMatchObject({ case: { state: 'in_progress' } })
    await expect(takeCase(desk(), number)).rejects.toMatchObject({ status: 409, code: 'already_taken' })
    await approveCase(desk(), number, { evidence: 'letter' })
    for (const again of [
      () => approveCase(desk(), number, { evidence: 'letter' }),
      () => refuseCase(desk(), number, 'No'),
      () => takeCase(desk(), number),
    ]) {
      await expect(again()).rejects.toMatchObject({ status: 409, code: 'case_closed' })
    }
    await expectVoided(payment)
  })

  it('cannot resolve a void without its refund, not even past the service', async () => {
    const { payment, number } = await openOne(provider)
    const { id } = await bench.caseOf(number)
    await expect(
      bench.database.query(`select change_case($1, $2, 'resolved', 'operator', 'x', false)`, [
        resellerId,
        id,
      ]),
    ).rejects.toThrow('not voided')
    await expectUntouched(payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open' })
  })

  it('whose approval is undone has refunded nothing', async () => {
    const { payment, number } = await openOne(provider)
    const { id } = await bench.caseOf(number)
    await bench.database
      .transaction(async (tx) => {
        await tx.query(`select approve_void($1, $2, 'operator', 'x', 'y', false)`, [resellerId, id])
        throw new Error('undone')
      })
      .catch(() => {})
    await expectUntouched(payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open', is_asked: true })
    expect(await bench.messagesOf(number)).toHaveLength(1)
  })
})
