import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CasesBench, VoidingProvider } from '../../testing/cases.ts'
import {
  APPROVED,
  callerOf,
  createVoidingProvider,
  expectUntouched,
  expectVoided,
  numberOf,
  openCasesBench,
  openVoid,
  REFUSED,
  requestFor,
  UNDECIDED,
} from '../../testing/cases.ts'
import { expectSoundMoney } from '../../testing/payments/payments.ts'
import { createScriptedProvider, providersOf, SUCCEEDED } from '../../testing/providers/scripted-provider.ts'
import { listChanges } from '../payments/payment/sql.ts'
import type { Provider } from '../providers/port/types.ts'
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
  // Voids that an earlier test left must not be found by this one.
  await bench.database.query('truncate case_work')
  resellerId = await bench.newReseller(100_000n)
})
afterEach(() => expectSoundMoney(bench.database))

const context = () => ({ database: bench.database })

/** Opens a case of a void that is to be asked for, and a node that asks this provider. */
async function openOne(provider: Provider) {
  const payment = await bench.succeed(resellerId)
  const number = await openVoid(cases, payment)
  return { payment, number, voiding: bench.voidingAt(providersOf(provider)) }
}

describe('a case that an operator closed while the provider had it', () => {
  it('is asked for until the provider has decided: a refusal of what was refunded is told to an operator', async () => {
    const provider = createVoidingProvider(UNDECIDED)
    const { payment, number, voiding } = await openOne(provider)
    await voiding.runOnce()
    await approveCase(context(), number, { evidence: 'letter' })
    await bench.ageCase(number, 60)
    await voiding.runOnce()
    expect(await bench.caseOf(number)).toMatchObject({ state: 'resolved', is_asked: true, questions: 2 })
    provider.answer = () => REFUSED
    await bench.ageCase(number, 60)
    await voiding.runOnce()
    await expectVoided(bench, payment)
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'void_contradiction', severity: 'critical' }])
    expect(await bench.caseOf(number)).toMatchObject({ is_asked: false })
  })

  it.each([
    ['refused', REFUSED, (number: string) => refuseCase(context(), number, 'No')],
    ['approved', APPROVED, (number: string) => approveCase(context(), number, { evidence: 'letter' })],
  ] as const)(
    'a void that the operator %s, and then the provider too, is asked about no more, and raises no alert',
    async (...each) => {
      const [, answer, close] = each
      const provider = createVoidingProvider(UNDECIDED)
      const { number, voiding } = await openOne(provider)
      await voiding.runOnce()
      await close(number)
      provider.answer = () => answer
      await bench.ageCase(number, 60)
      await voiding.runOnce()
      expect(await bench.caseOf(number)).toMatchObject({ is_asked: false })
      expect(await bench.alertsAbout(number)).toEqual([])
    },
  )

  it('a void that the provider was never asked for is not asked for after the operator closed it', async () => {
    const provider = createVoidingProvider(APPROVED)
    const { number, voiding } = await openOne(provider)
    await refuseCase(context(), number, 'No')
    expect(await voiding.runOnce()).toBe(0)
    expect(provider.voidsAsked).toEqual([])
  })
})

describe('a case that waits for an operator', () => {
  it('is one whose provider takes no voids', async () => {
    const { payment, number, voiding } = await openOne(createScriptedProvider(SUCCEEDED))
    expect(await bench.alertsAbout(number)).toEqual([])
    await voiding.runOnce()
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open', is_asked: false })
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'case_waiting', severity: 'warning' }])
    await expectUntouched(bench, payment)
    await approveCase(context(), number, { evidence: 'letter of 3 March' })
    await expectVoided(bench, payment)
    expect((await listChanges(bench.database, resellerId, payment.id, 10)).at(-1)).toMatchObject({
      code: 53,
      detail: `Refund; case ${number}: letter of 3 March`,
    })
    expect(await bench.alertsAbout(number)).toEqual([])
  })

  it('is on the operators’ list from the moment it is opened until somebody takes it', async () => {
    const payment = await bench.succeed(resellerId)
    const opened = await cases.open('dispute', callerOf(resellerId), requestFor('dispute', payment))
    const number = numberOf(opened)
    expect(await bench.alertsAbout(number)).toEqual([{ kind: 'case_waiting', severity: 'warning' }])
    await takeCase(context(), number)
    expect(await bench.alertsAbout(number)).toEqual([])
  })

  it('is not one that the provider has, though it cannot be asked for a while', async () => {
    const provider = createVoidingProvider(UNDECIDED)
    const { payment, number, voiding } = await openOne(provider)
    await voiding.runOnce()
    await bench.ageCase(number, 60)
    await bench.voidingAt(providersOf(createScriptedProvider(SUCCEEDED))).runOnce()
    expect(await bench.caseOf(number)).toMatchObject({ is_asked: true, questions: 2 })
    provider.answer = () => APPROVED
    await bench.ageCase(number, 60)
    await voiding.runOnce()
    await expectVoided(bench, payment)
  })

  it('is told of by an alert past its due time, and stays as it is', async () => {
    const { number, voiding } = await openOne(createScriptedProvider(SUCCEEDED))
    await voiding.runOnce()
    await bench.ageCase(number, 3 * 86_400)
    await voiding.watchOnce()
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open' })
    expect(await bench.alertsAbout(number)).toEqual([
      { kind: 'case_waiting', severity: 'warning' },
      { kind: 'case_overdue', severity: 'critical' },
    ])
    await refuseCase(context(), number, 'No')
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
    await expectVoided(bench, payment)
  })
})

describe('an operator', () => {
  const provider: VoidingProvider = createVoidingProvider(UNDECIDED)

  it('takes a case once, and closes it once', async () => {
    const { payment, number } = await openOne(provider)
    expect(await takeCase(context(), number)).toMatchObject({ case: { state: 'in_progress' } })
    await expect(takeCase(context(), number)).rejects.toMatchObject({ status: 409, code: 'already_taken' })
    await approveCase(context(), number, { evidence: 'letter' })
    for (const again of [
      () => approveCase(context(), number, { evidence: 'letter' }),
      () => refuseCase(context(), number, 'No'),
      () => takeCase(context(), number),
    ]) {
      await expect(again()).rejects.toMatchObject({ status: 409, code: 'case_closed' })
    }
    await expectVoided(bench, payment)
  })

  it('cannot resolve a void without its refund, not even past the service', async () => {
    const { payment, number } = await openOne(provider)
    const { id } = await bench.caseOf(number)
    await expect(
      bench.database.query(`select change_case($1, $2, 'resolved', 'operator', 'x')`, [resellerId, id]),
    ).rejects.toThrow('not voided')
    await expectUntouched(bench, payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open' })
  })

  it('an operator whose approval is undone has refunded nothing', async () => {
    const { payment, number } = await openOne(provider)
    const { id } = await bench.caseOf(number)
    await bench.database
      .transaction(async (tx) => {
        await tx.query(`select approve_void($1, $2, 'operator', 'x', 'y')`, [resellerId, id])
        throw new Error('undone')
      })
      .catch(() => {})
    await expectUntouched(bench, payment)
    expect(await bench.caseOf(number)).toMatchObject({ state: 'open', is_asked: true })
    expect(await bench.messagesOf(number)).toHaveLength(1)
  })
})
