import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newApprover } from '../../testing/approvals.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { ApprovalRow } from './sql.ts'
import { insertApproval, takeId, updateDecision } from './sql.ts'

let test: TestDatabase
let asker: bigint
let decider: bigint

beforeAll(async () => {
  test = await openTestDatabase()
  asker = (await newApprover(test, 'asks')).operatorId
  decider = (await newApprover(test, 'decides')).operatorId
})
afterAll(() => test.close())

function ask(ttlMs = 60_000): Promise<ApprovalRow> {
  return test.database.transaction(async (tx) =>
    insertApproval(tx, {
      id: await takeId(tx),
      kind: 'deposit',
      targetKind: 'reseller',
      target: '7',
      requestedBy: asker,
      sealedRequest: Buffer.from('sealed'),
      ttlMs,
    }),
  )
}

function decide({ id }: ApprovalRow, state = 'approved', by = decider): Promise<ApprovalRow> {
  return test.database.transaction((tx) =>
    updateDecision(tx, id, { state, by, reason: 'as agreed', outcome: null }),
  )
}

it('operators are told of a request and of its decision, in this order and without what was asked for', async () => {
  const { id } = await decide(await ask(), 'refused')
  const { rows } = await test.database.query(
    `select type, data, reseller_ids::text from event_facts where data->>'id' = $1 order by id`,
    [String(id)],
  )
  const data = { id: String(id), kind: 'deposit', requested_by: String(asker) }
  expect(rows).toEqual([
    { type: 'approval.requested', data: { ...data, state: 'pending' }, reseller_ids: '{0}' },
    { type: 'approval.decided', data: { ...data, state: 'refused' }, reseller_ids: '{0}' },
  ])
})

describe('an approval is kept as it was asked for and decided', () => {
  const decision = `state = 'approved', decided_by = $2::bigint, decided_at = clock_timestamp()`
  it.each([
    `kind = 'other'`,
    `target_kind = 'other'`,
    `target = 'other'`,
    `requested_at = requested_at - interval '1 second'`,
    `expires_at = expires_at + interval '1 second'`,
    `sealed_request = 'other'`,
  ])('a decision that sets %s is refused', async (change) => {
    const { id } = await ask()
    const statement = `update approvals set ${decision}, ${change} where id = $1`
    await expect(test.database.query(statement, [id, decider])).rejects.toThrow('decided once')
  })

  it('an approval that was decided is not decided again, made pending, changed or deleted', async () => {
    const approval = await decide(await ask())
    const { id } = approval
    await expect(decide(approval, 'refused')).rejects.toThrow('decided once')
    for (const statement of [
      `update approvals set state = 'pending', decided_by = null, decided_at = null where id = $1`,
      `update approvals set decision_reason = 'another' where id = $1`,
      'delete from approvals where id = $1',
    ]) {
      await expect(test.database.query(statement, [id])).rejects.toThrow('decided once')
    }
    await expect(test.database.query('truncate approvals cascade')).rejects.toThrow('decided once')
  })
})

it('the state of an approval is its own: expired once its time is over, unless it was decided before', async () => {
  const stateOf = async (id: bigint) =>
    (await test.database.query<{ state: string | null }>('select approval_state($1) as state', [id])).rows[0]
      ?.state
  const [pending, late, approved] = [await ask(), await ask(-1), await decide(await ask(-1))]
  const withdrawn = await decide(await ask(), 'withdrawn', asker)
  expect(await stateOf(pending.id)).toBe('pending')
  expect(await stateOf(late.id)).toBe('expired')
  expect(await stateOf(approved.id)).toBe('approved')
  expect(await stateOf(withdrawn.id)).toBe('withdrawn')
  expect(await stateOf(0n)).toBeNull()
})
