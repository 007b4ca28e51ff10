import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
import { listChanges } from '../payments/core/sql.ts'
import type { Provider } from '../providers/port/types.ts'
import {
  approveCase,
  countVoidsAt,
  getAnyCase,
  listAnyCases,
  readDueCases,
  refuseCase,
  resolveDispute,
  takeCase,
  writeMessage,
} from './operators.service.ts'
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
afterAll(() => expectSoundMoney(bench.database))

const context = () => ({ database: bench.database })

/** Opens a case of a void that is to be asked for, and a node that asks this provider. */
async function openOne(provider: Provider) {
  const payment = await bench.succeed(resellerId)
  const number = await openVoid(cases, payment)
  return { payment, number, voiding: bench.voidingAt(providersOf(provider)) }
}

it('a void counts at the provider that fulfilled the payment until that provider has decided', async () => {
  const provider = createVoidingProvider(UNDECIDED)
  const { voiding } = await openOne(provider)
  expect(await countVoidsAt(bench.database, 'scripted')).toBe(1)
  await voiding.runOnce()
  expect(await countVoidsAt(bench.database, 'scripted')).toBe(1)
  expect(await countVoidsAt(bench.database, 'other')).toBe(0)
  await openOne(createVoidingProvider(REFUSED)).then((second) => second.voiding.runOnce())
  expect(await countVoidsAt(bench.database, 'scripted')).toBe(1)
})

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

  it('approves voids and resolves disputes, and not the other way round', async () => {
    const { payment, number } = await openOne(provider)
    const disputed = await bench.succeed(resellerId)
    const dispute = numberOf(
      await cases.open('dispute', callerOf(resellerId), requestFor('dispute', disputed)),
    )
    await expect(resolveDispute(context(), number, 'Delivered')).rejects.toMatchObject({
      status: 409,
      code: 'not_a_dispute',
    })
    await expect(approveCase(context(), dispute, { evidence: 'letter' })).rejects.toMatchObject({
      status: 409,
      code: 'not_a_void',
    })
    for (const each of [number, dispute]) expect(await bench.caseOf(each)).toMatchObject({ state: 'open' })
    expect([await bench.codeOf(payment), await bench.codeOf(disputed)]).toEqual([20, 20])
    expect(await resolveDispute(context(), dispute, 'Delivered')).toMatchObject({
      case: { state: 'resolved' },
    })
    expect(await approveCase(context(), number, { evidence: 'k' })).toMatchObject({
      case: { state: 'resolved' },
    })
  })

  it('writes messages of 1 to 500 characters, and finds no case that does not exist', async () => {
    const { number } = await openOne(provider)
    for (const message of ['k', 'k'.repeat(500)]) {
      const { messages, case: written } = await writeMessage(context(), number, message)
      expect(messages.at(-1)).toMatchObject({ author: 'operator', text: message })
      expect(written.state).toBe('open')
    }
    for (const message of ['', 'k'.repeat(501)]) {
      for (const say of [writeMessage, refuseCase]) {
        expect(() => say(context(), number, message)).toThrow(
          expect.objectContaining({ fields: { message: [expect.any(String)] } }),
        )
      }
    }
    expect(await bench.messagesOf(number)).toHaveLength(3)
    await expect(getAnyCase(context(), 'C-2026-999999')).rejects.toMatchObject({ status: 404 })
  })

  it('lists the cases of an account newest first, or the open ones by their due times', async () => {
    const due = (await openOne(provider)).number
    const closed = (await openOne(provider)).number
    const newest = (await openOne(provider)).number
    await refuseCase(context(), closed, 'No')
    await bench.ageCase(newest, 60)
    const list = async (page: { order?: string; before?: string; state?: string; kind?: string }) => {
      const found = await listAnyCases(context(), { resellerId, limit: 10, ...page })
      for (const { account } of found) expect(account).toMatch(/./)
      return found.map(({ number }) => number)
    }
    expect(await list({})).toEqual([newest, closed, due])
    expect(await list({ order: 'newest', before: closed })).toEqual([due])
    expect(await list({ order: 'due' })).toEqual([newest, due])
    expect(await list({ order: 'due', before: newest })).toEqual([due])
    expect(await list({ state: 'refused' })).toEqual([closed])
    expect(await list({ kind: 'dispute' })).toEqual([])
    await bench.ageCase(newest, 365 * 86_400)
    const { open, overdue, first } = await readDueCases(bench.database, 1)
    expect(first).toMatchObject([{ number: newest }])
    expect(open).toBeGreaterThan(overdue)
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
