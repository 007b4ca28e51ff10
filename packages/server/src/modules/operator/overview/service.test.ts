import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestApprovals } from '../../../testing/approvals.ts'
import { newApprover, withDecisions } from '../../../testing/approvals.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { sessionsOf } from '../../../testing/sessions.ts'
import type { ApprovalOperator } from '../../approvals/types.ts'
import { createAuditLog } from '../../audit/service.ts'
import { createOperatorApprovals } from '../approvals/service.ts'
import { OVERVIEW } from './codec.ts'
import { createOverviews } from './service.ts'

let test: TestDatabase
let approvals: TestApprovals

beforeAll(async () => {
  test = await openTestDatabase()
  approvals = withDecisions(
    createOperatorApprovals({
      log: createAuditLog(test),
      priceChangeMaxPercent: 20,
      sessions: sessionsOf(test),
    }),
  )
})
afterAll(() => test.close())

it('an operator is told which requests are their own, and which they may decide', async () => {
  const asker = await newApprover(test, 'asker')
  const second = await newApprover(test, 'second')
  const { id } = await approvals.request(asker, {
    kind: 'deposit',
    target: { kind: 'reseller', id: '1000001' },
    command: { amount: '1.00' },
    reason: 'seen at the bank',
  })
  const later = await newApprover(test, 'came-later')
  const hired = await newApprover(test, 'hired', asker)
  const read = createOverviews({ database: test.database, approvals, nowMs: Date.now })
  const seenBy = async (caller: ApprovalOperator, role: 'finance' | 'support' = 'finance') => {
    const overview = OVERVIEW.encode(await read({ ...caller, name: 'x', role }))
    const { pending, own, may_decide: mayDecide } = overview.approvals ?? {}
    return [pending, own, mayDecide]
  }
  expect(await seenBy(asker)).toEqual([1, 1, 0])
  expect(await seenBy(second)).toEqual([1, 0, 1])
  expect(await seenBy({ ...second, via: 'token' })).toEqual([1, 0, 0])
  expect(await seenBy(later)).toEqual([1, 0, 0])
  expect(await seenBy(hired)).toEqual([1, 0, 0])
  expect(await seenBy(second, 'support')).toEqual([0, 0, 0])
  await approvals.refuse(second, id, 'not seen')
  expect(await seenBy(second)).toEqual([0, 0, 0])
})

it('a service without any payment has figures of zero, and a month of days', async () => {
  const caller = await newApprover(test, 'early')
  const read = createOverviews({ database: test.database, approvals, nowMs: Date.now })
  const { payments, stuck, late } = OVERVIEW.encode(await read({ ...caller, name: 'x', role: 'admin' }))
  expect(late).toEqual([])
  expect(payments?.by_day).toHaveLength(30)
  expect(payments?.today).toMatchObject({ payments: 0, value: '0.00', margin: null, success_rate: null })
  expect(stuck).toMatchObject({ payments: 0, oldest_due_at: null, first: [] })
})
