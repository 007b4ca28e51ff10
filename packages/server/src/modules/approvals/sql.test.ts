import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newApprover } from '../../testing/approvals.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { ApprovalRow } from './sql.ts'
import { insertApproval, listApprovals, takeId, updateDecision } from './sql.ts'
import type { ApprovalScope } from './types.ts'

let test: TestDatabase
let asker: bigint
let decider: bigint

beforeAll(async () => {
  test = await openTestDatabase()
  asker = (await newApprover(test, 'asks')).operatorId
  decider = (await newApprover(test, 'decides')).operatorId
})
afterAll(() => test.close())

function ask(ttlMs = 60_000, kind = 'deposit', requestedBy = asker): Promise<ApprovalRow> {
  return test.database.transaction(async (tx) =>
    insertApproval(tx, {
      id: await takeId(tx),
      kind,
      targetKind: 'reseller',
      target: '7',
      requestedBy,
      sealedRequest: Buffer.from('sealed'),
      resellerId: null,
      ttlMs,
    }),
  )
}

function decide({ id }: ApprovalRow, state = 'approved', by = decider): Promise<ApprovalRow> {
  return test.database.transaction((tx) =>
    updateDecision(tx, id, {
      state,
      by: { kind: 'operator', id: by, name: '' },
      reason: 'as agreed',
      outcome: null,
    }),
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

  it.each([
    [
      "update approvals set state = 'approved', decided_by = requested_by, decided_at = now() where id = $1",
      'check',
    ],
    ["update approvals set sealed_request = '\\x00' where id = $1", 'decided once'],
    ['update approvals set requested_by = requested_by where id = $1', 'decided once'],
    ['delete from approvals where id = $1', 'decided once'],
  ])('the database refuses: %s', async (statement, text) => {
    const { id } = await ask()
    await expect(test.database.query(statement, [id])).rejects.toThrow(text)
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

it('an approval that was refused has no outcome', async () => {
  const { id } = await decide(await ask(), 'refused')
  const { rows } = await test.database.query('select from approvals where id = $1 and outcome is null', [id])
  expect(rows).toHaveLength(1)
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

it('approvals are listed within a scope: those of its kinds, and those of its operator', async () => {
  const deposit = await ask()
  const price = await ask(60_000, 'price', decider)
  const list = async (scope: ApprovalScope | null) => {
    const found = await listApprovals(test.database, {
      scope,
      state: null,
      kind: null,
      beforeId: null,
      limit: 2,
    })
    return found.map(({ id }) => id).filter((id) => id >= deposit.id)
  }
  expect(await list(null)).toEqual([price.id, deposit.id])
  expect(await list({ kinds: ['price'], operatorId: asker })).toEqual([price.id, deposit.id])
  expect(await list({ kinds: ['price'], operatorId: 0n })).toEqual([price.id])
  expect(await list({ kinds: [], operatorId: asker })).toEqual([deposit.id])
  expect(await list({ kinds: ['deposit'], operatorId: decider })).toEqual([price.id, deposit.id])
  expect(await list({ kinds: [], operatorId: 0n })).toEqual([])
})
