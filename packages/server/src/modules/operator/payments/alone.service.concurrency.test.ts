import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withDecisions } from '../../../testing/approvals.ts'
import type { CasesBench } from '../../../testing/cases.ts'
import { openCasesBench } from '../../../testing/cases.ts'
import {
  COST,
  contextOf as contextAt,
  countLone as countLoneAt,
  decideAs,
  limitsOf,
  newOperator as newOperatorAt,
  newVoid as newVoidAt,
} from '../../../testing/lone-decisions.ts'
import { expectSoundMoney, payWith } from '../../../testing/payments/payments.ts'
import { createAuditLog } from '../../audit/service.ts'
import { verifyAudit } from '../../audit/verify.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { AloneLimits, MoneyContext } from '../kit/types.ts'
import { approveVoid, resolvePayment } from './acts.ts'
import { getPageForOperators } from './payments.service.ts'

let bench: CasesBench
let operator: OperatorCaller
let resellerId: bigint

beforeAll(async () => {
  bench = await openCasesBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  operator = await newOperator()
  resellerId = await bench.newReseller(10_000_000n)
})
afterAll(() => expectSoundMoney(bench.database))

const newOperator = () => newOperatorAt(bench)
const contextOf = (limits: AloneLimits) => contextAt(bench, limits)
const newVoid = (reseller = resellerId) => newVoidAt(bench, reseller)
const countLone = (column: 'operator_id' | 'reseller_id', id: bigint) => countLoneAt(bench, column, id)

async function newStuck(reseller = resellerId): Promise<string> {
  const { id } = await payWith(bench.node, reseller)
  await bench.database.query(
    `update payment_work set due_at = now() - interval '1 hour', is_leased = false where payment_id = $1`,
    [id],
  )
  return String(id)
}

const giveBack = (context: MoneyContext, number: string, by = operator) =>
  decideAs(context, by, approveVoid, { number, evidence: 'letter of the biller' })

const end = (context: MoneyContext, id: string, as: 'succeeded' | 'failed', by = operator) =>
  decideAs(context, by, resolvePayment, { payment_id: id, as, evidence: 'by phone' })

describe('decisions of one operator at the same time', () => {
  it('pass exactly as far as the sum allows, voids and stuck payments together; the others wait for a second person', async () => {
    const context = contextOf(limitsOf(7n))
    const acts: (() => Promise<{ readonly kind: string }>)[] = []
    for (let index = 0; index < 50; index += 1) {
      if (index % 2 === 0) {
        const number = await newVoid()
        acts.push(() => giveBack(context, number))
      } else {
        const id = await newStuck()
        acts.push(() => end(context, id, index % 4 === 1 ? 'failed' : 'succeeded'))
      }
    }
    const kinds = (await Promise.all(acts.map((act) => act()))).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'done')).toHaveLength(7)
    expect(kinds.filter((kind) => kind === 'asked')).toHaveLength(43)
    expect(await countLone('operator_id', operator.operatorId)).toBe(7)
    const pending = await context.approvals.list({ state: 'pending', kind: null, beforeId: null, limit: 100 })
    expect(pending).toHaveLength(43)
    expect((await verifyAudit(createAuditLog(bench))).broken).toBeUndefined()
  })

  it('about one reseller pass as far as the sum allows, whoever decides', async () => {
    const context = contextOf(limitsOf(3n))
    const others = [operator, await newOperator(), await newOperator(), await newOperator()]
    const numbers = await Promise.all(others.flatMap(() => [newVoid(), newVoid()]))
    const done = await Promise.all(
      numbers.map((number, index) => giveBack(context, number, others[index % others.length])),
    )
    expect(done.filter(({ kind }) => kind === 'done')).toHaveLength(3)
    expect(await countLone('reseller_id', resellerId)).toBe(3)
  })
})

describe('a sum', () => {
  it('counts what was decided within 24 hours and 7 days, each to its own limit', async () => {
    const context = contextOf(limitsOf(2n, 3n))
    const age = (hours: number) =>
      bench.database.query(
        `update lone_decisions set decided_at = clock_timestamp() - make_interval(hours => $2) where operator_id = $1`,
        [operator.operatorId, hours],
      )
    const kindOf = async () => (await giveBack(context, await newVoid())).kind
    expect([await kindOf(), await kindOf(), await kindOf()]).toEqual(['done', 'done', 'asked'])
    await age(23)
    expect(await kindOf()).toBe('asked')
    await age(25)
    expect([await kindOf(), await kindOf()]).toEqual(['done', 'asked'])
    await age(167)
    expect(await kindOf()).toBe('asked')
    await age(169)
    expect(await kindOf()).toBe('done')
  })

  it('does not count a decision that failed, nor one that a second person approved', async () => {
    const context = contextOf(limitsOf(1n))
    const second = await newOperator()
    const number = await newVoid()
    expect(await giveBack(context, number)).toMatchObject({ kind: 'done' })
    await bench.database.query('truncate lone_decisions')
    await expect(giveBack(context, number)).rejects.toMatchObject({ code: 'case_closed' })
    expect(await countLone('operator_id', operator.operatorId)).toBe(0)

    const asked = await giveBack({ ...context, aloneLimits: limitsOf(0n) }, await newVoid())
    if (asked.kind !== 'asked') throw new Error('it was done at once')
    await withDecisions(context.approvals).approve(second, asked.asked.id, 'seen')
    expect(await countLone('operator_id', operator.operatorId)).toBe(0)
    expect(await giveBack(context, await newVoid())).toMatchObject({ kind: 'done' })
  })

  it('shows on the page of a payment that the operator cannot end it alone any more, and another one can', async () => {
    const context = contextOf({ ...limitsOf(1n), week: 100n * COST })
    const elsewhere = await bench.newReseller(1_000_000n)
    const id = await newStuck()
    const needsSecond = async (by: OperatorCaller) =>
      (await getPageForOperators(context, by, id)).resolution.needsSecondPerson
    expect(await needsSecond(operator)).toBe(false)
    await giveBack(context, await newVoid(elsewhere))
    expect([await needsSecond(operator), await needsSecond(await newOperator())]).toEqual([true, false])
  })
})
