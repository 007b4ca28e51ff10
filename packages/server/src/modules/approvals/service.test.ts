import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApprovals } from '../../testing/approvals.ts'
import { act, actionsAbout, newApprover, withDecisions } from '../../testing/approvals.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { vouchForOperator } from '../accounts/public.sql.ts'
import type { OperatorChanges } from '../accounts/service.ts'
import { updateOperator } from '../accounts/service.ts'
import { createAuditLog } from '../audit/service.ts'
import type { AuditLog } from '../audit/types.ts'
import { createApprovals } from './service.ts'
import type { Approval, ApprovalOperator, ApprovalScope, Approvals } from './types.ts'

let test: TestDatabase
let log: AuditLog
let approvals: TestApprovals
let asker: ApprovalOperator
let second: ApprovalOperator
let third: ApprovalOperator

const mayDecide = (role: string) => role === 'finance'

beforeAll(async () => {
  test = await openTestDatabase()
  await test.database.query('create table acts (approval_id bigint, what text)')
  log = createAuditLog(test)
  approvals = withDecisions(createApprovals({ log, executors: { act }, mayDecide, mayRequest: mayDecide }))
  asker = await newOperator('asker')
  second = await newOperator('second')
  third = await newOperator('third')
})
afterAll(() => test.close())

const newOperator = (name: string, by?: ApprovalOperator) => newApprover(test, name, by)
const vouchFor = ({ operatorId }: ApprovalOperator) =>
  test.database.transaction((tx) => vouchForOperator(tx, operatorId))
const actionsOf = (approval: Approval) => actionsAbout(log, approval)

/** Changes an operator, by another operator or at the machine itself. */
function change(whom: ApprovalOperator, changes: OperatorChanges, by?: ApprovalOperator) {
  const accounts = { ...test, environment: 'staging' } as const
  return updateOperator(accounts, whom.operatorId, changes, by?.operatorId ?? null)
}

function ask(
  what = 'this',
  more: { from?: Approvals; fails?: string; by?: ApprovalOperator } = {},
): Promise<Approval> {
  return (more.from ?? approvals).request(more.by ?? asker, {
    kind: 'act',
    target: { kind: 'thing', id: 'x' },
    command: { what, pin: '1234', fails: more.fails ?? null },
    reason: 'it is needed',
  })
}

async function countActs({ id }: Approval): Promise<number> {
  return (await test.database.query('select from acts where approval_id = $1', [id])).rowCount
}

describe('a request', () => {
  it('does nothing until another operator approves it, who carries it out in the same commit', async () => {
    const asked = await ask()
    expect(asked).toMatchObject({
      state: 'pending',
      requestedBy: { email: 'asker@example.com' },
      decision: null,
    })
    expect(await countActs(asked)).toBe(0)
    const approved = await approvals.approve(second, asked.id, 'checked')
    expect(approved).toMatchObject({
      state: 'approved',
      decision: { by: { name: 'second@example.com' }, reason: 'checked', outcome: { did: 'this' } },
    })
    expect(await countActs(asked)).toBe(1)
    expect(await actionsOf(asked)).toEqual(['act.request', 'act.approve'])
    expect(await approvals.get(asked.id)).toEqual(approved)
  })

  it('a request that is refused or withdrawn is never carried out', async () => {
    const [refused, withdrawn] = [await ask(), await ask()]
    expect(await approvals.refuse(second, refused.id, 'no')).toMatchObject({ state: 'refused' })
    expect(await approvals.withdraw(asker, withdrawn.id, 'a mistake')).toMatchObject({ state: 'withdrawn' })
    for (const each of [refused, withdrawn]) {
      await expect(approvals.approve(third, each.id, 'yes')).rejects.toMatchObject({
        status: 409,
        code: 'already_decided',
      })
      expect(await countActs(each)).toBe(0)
    }
    expect(await actionsOf(refused)).toEqual(['act.request', 'act.refuse'])
    expect(await actionsOf(withdrawn)).toEqual(['act.request', 'act.withdraw'])
  })

  it('cannot be decided by who asked, whatever session they use', async () => {
    const asked = await ask()
    const other: ApprovalOperator = { ...asker, credentialId: '2', address: '203.0.113.77' }
    for (const caller of [asker, other]) {
      await expect(approvals.approve(caller, asked.id, 'yes')).rejects.toMatchObject({
        status: 403,
        code: 'own_request',
      })
      await expect(approvals.refuse(caller, asked.id, 'no')).rejects.toMatchObject({
        status: 403,
        code: 'own_request',
      })
    }
    await expect(approvals.withdraw(second, asked.id, 'no')).rejects.toMatchObject({
      code: 'not_own_request',
    })
    expect([await countActs(asked), (await approvals.get(asked.id)).state]).toEqual([0, 'pending'])
  })

  it('cannot be decided with a token', async () => {
    const asked = await ask('by token', { by: { ...asker, via: 'token' } })
    const token: ApprovalOperator = { ...second, via: 'token' }
    await expect(approvals.approve(token, asked.id, 'yes')).rejects.toMatchObject({
      status: 403,
      code: 'session_required',
    })
    expect(await countActs(asked)).toBe(0)
  })

  it('cannot be decided by an operator who was made after it', async () => {
    const asked = await ask()
    const made = await newOperator('made-for-this')
    await expect(approvals.approve(made, asked.id, 'yes')).rejects.toMatchObject({
      status: 403,
      code: 'operator_too_new',
    })
    expect(await countActs(asked)).toBe(0)
  })

  it('cannot be decided by who was kept out, or got another role, since they were let in', async () => {
    const [gone, moved] = [await newOperator('gone'), await newOperator('moved')]
    const asked = await ask()
    await change(gone, { status: 'disabled' })
    await change(moved, { role: 'support' })
    for (const caller of [gone, moved]) {
      await expect(approvals.approve(caller, asked.id, 'yes')).rejects.toMatchObject({ status: 403 })
    }
    expect(await countActs(asked)).toBe(0)
  })

  it('cannot be decided by whom the asker let in, nor by whom those let in', async () => {
    const child = await newOperator('child', asker)
    const grandchild = await newOperator('grandchild', child)
    const asked = await ask()
    for (const caller of [child, grandchild]) {
      for (const decide of [approvals.approve, approvals.refuse]) {
        await expect(decide(caller, asked.id, 'yes')).rejects.toMatchObject({
          status: 403,
          code: 'not_independent',
        })
      }
    }
    expect(await countActs(asked)).toBe(0)
    // A second person who vouches changes that, or a person at the machine.
    await vouchFor(grandchild)
    await change(child, { status: 'active' })
    const next = await ask()
    await approvals.approve(grandchild, next.id, 'yes')
    await approvals.approve(child, (await ask()).id, 'yes')
  })

  it.each([
    ['another role', [{ role: 'support' }, { role: 'finance' }]],
    ['being let in again', [{ status: 'disabled' }, { status: 'active' }]],
  ] as const)(
    'a request of an operator whom an admin let in is not for that admin to decide, after %s by another admin',
    async (name, changes) => {
      const maker = await newOperator(`maker of ${name}`.replaceAll(' ', '-'))
      const made = await newOperator(`made with ${name}`.replaceAll(' ', '-'), maker)
      for (const each of changes) await change(made, each, second)
      const asked = await ask(name, { by: made })
      await expect(approvals.approve(maker, asked.id, 'yes')).rejects.toMatchObject({
        code: 'not_independent',
      })
      expect(await countActs(asked)).toBe(0)
      // The operator who changed them cannot be their second person either, even after somebody vouched for
      // them.
      await vouchFor(made)
      for (const each of changes) await change(made, each, second)
      const later = await ask(name, { by: made })
      await expect(approvals.approve(second, later.id, 'yes')).rejects.toMatchObject({
        code: 'not_independent',
      })
      await approvals.approve(maker, later.id, 'yes')
    },
  )

  it('a request of an operator for whom somebody vouched afterwards is not approved, and can be refused or withdrawn', async () => {
    const maker = await newOperator('maker-of-early')
    const early = await newOperator('early', maker)
    const requests = [await ask('one', { by: early }), await ask('two', { by: early })] as const
    await vouchFor(early)
    for (const asked of requests) {
      for (const caller of [maker, second]) {
        await expect(approvals.approve(caller, asked.id, 'yes')).rejects.toMatchObject({
          status: 409,
          code: 'requester_changed',
        })
      }
      expect(await countActs(asked)).toBe(0)
    }
    expect(await approvals.refuse(second, requests[0].id, 'no')).toMatchObject({ state: 'refused' })
    expect(await approvals.withdraw(early, requests[1].id, 'again')).toMatchObject({ state: 'withdrawn' })
    await approvals.approve(maker, (await ask('three', { by: early })).id, 'yes')
  })

  it('a request of an operator whom an admin let in cannot be decided by that admin, nor by others whom that admin let in', async () => {
    const maker = await newOperator('maker')
    const [one, other] = [await newOperator('one', maker), await newOperator('other', maker)]
    const asked = await ask('for the maker', { by: one })
    for (const caller of [maker, other]) {
      const refused = { status: 403, code: 'not_independent' }
      await expect(approvals.approve(caller, asked.id, 'yes')).rejects.toMatchObject(refused)
    }
    expect(await countActs(asked)).toBe(0)
    await approvals.approve(second, asked.id, 'yes')
  })

  it('cannot be decided by who was let in again, or got the role, after it', async () => {
    const [back, promoted, renewed] = [
      await newOperator('back'),
      await newOperator('promoted'),
      await newOperator('renewed'),
    ]
    await change(back, { status: 'disabled' })
    await change(promoted, { role: 'support' })
    const asked = await ask()
    await change(back, { status: 'active' }, second)
    await change(promoted, { role: 'finance' }, second)
    for (const caller of [back, promoted]) {
      await expect(approvals.approve(caller, asked.id, 'yes')).rejects.toMatchObject({
        status: 403,
        code: 'operator_too_new',
      })
    }
    expect(await countActs(asked)).toBe(0)
    // A new password is no new right: this operator may still decide.
    await change(renewed, { password: 'another horse battery' })
    await approvals.approve(renewed, asked.id, 'yes')
  })

  it('cannot be decided by those who let each other in again, so that nobody shows who made them', async () => {
    const one = await newOperator('ring-one')
    const other = await newOperator('ring-other')
    for (const status of ['disabled', 'active'] as const) {
      await change(other, { status }, one)
      await change(one, { status }, other)
    }
    const asked = await ask()
    for (const caller of [one, other]) {
      await expect(approvals.approve(caller, asked.id, 'yes')).rejects.toMatchObject({
        code: 'not_independent',
      })
    }
    expect(await countActs(asked)).toBe(0)
  })

  it('a request of an operator who may not ask any more is not carried out, and can be refused', async () => {
    const [gone, moved] = [await newOperator('asked-and-gone'), await newOperator('asked-and-moved')]
    const requests = [await ask('gone', { by: gone }), await ask('moved', { by: moved })]
    const [done, taken] = [await ask('done before', { by: gone }), await ask('taken back', { by: moved })]
    await approvals.approve(second, done.id, 'yes')
    await change(gone, { status: 'disabled' })
    await change(moved, { role: 'support' })
    for (const asked of requests) {
      await expect(approvals.approve(second, asked.id, 'yes')).rejects.toMatchObject({
        status: 409,
        code: 'requester_gone',
      })
      expect(await countActs(asked)).toBe(0)
      expect(await approvals.refuse(second, asked.id, 'no')).toMatchObject({ state: 'refused' })
    }
    expect(await approvals.approve(second, done.id, 'yes')).toMatchObject({ state: 'approved' })
    expect(await approvals.withdraw(moved, taken.id, 'moved')).toMatchObject({ state: 'withdrawn' })
  })

  it('cannot be approved when its time is over', async () => {
    const asked = await ask('late', {
      from: withDecisions(
        createApprovals({ log, executors: { act }, mayDecide, mayRequest: mayDecide, ttlMs: 0 }),
      ),
    })
    expect((await approvals.get(asked.id)).state).toBe('expired')
    await expect(approvals.approve(second, asked.id, 'yes')).rejects.toMatchObject({
      status: 409,
      code: 'approval_expired',
    })
    expect(await countActs(asked)).toBe(0)
    const expired = await approvals.list({ state: 'expired', kind: null, beforeId: null, limit: 10 })
    expect(expired.map(({ id }) => id)).toEqual([asked.id])
  })

  it('a request expires after three days', async () => {
    const clock = async () =>
      (await test.database.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]?.now.getTime() ??
      0
    const earliest = await clock()
    const { expiresAt } = await ask()
    expect(expiresAt.getTime() - 72 * 3_600_000).toBeGreaterThanOrEqual(earliest)
    expect(expiresAt.getTime() - 72 * 3_600_000).toBeLessThanOrEqual(await clock())
  })

  it('a request that nobody can carry out is neither taken nor approved', async () => {
    const asked = await ask()
    const without = withDecisions(createApprovals({ log, executors: {}, mayDecide, mayRequest: mayDecide }))
    await expect(ask('other', { from: without })).rejects.toThrow('what is asked for: act')
    await expect(without.approve(second, asked.id, 'yes')).rejects.toThrow('what is approved: act')
    expect((await approvals.get(asked.id)).state).toBe('pending')
  })

  it('a request that cannot be carried out stays pending, and leaves nothing behind', async () => {
    const asked = await ask('impossible', { fails: 'yes' })
    await expect(approvals.approve(second, asked.id, 'yes')).rejects.toThrow('it cannot be done')
    expect([await countActs(asked), (await approvals.get(asked.id)).state]).toEqual([0, 'pending'])
    expect(await actionsOf(asked)).toEqual(['act.request'])
  })

  it('needs a reason, and so does its decision', async () => {
    const asked = await ask()
    for (const reason of [undefined, '', ' ']) {
      await expect(approvals.approve(second, asked.id, reason)).rejects.toMatchObject({ status: 400 })
      const unreasoned = { kind: 'act', target: { kind: 'thing', id: 'x' }, command: {}, reason }
      await expect(approvals.request(asker, unreasoned)).rejects.toMatchObject({ status: 400 })
    }
    await expect(approvals.approve(second, 999_999n, 'x')).rejects.toMatchObject({ status: 404 })
  })
})

describe('the database itself', () => {
  it('does not carry out a request that was swapped for another one, or put in another name', async () => {
    const [small, large] = [await ask('small'), await ask('large')]
    const tamper = (statement: string, values: unknown[]) =>
      test.database.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(statement, values)
      })
    await tamper(
      'update approvals set sealed_request = (select sealed_request from approvals where id = $2) where id = $1',
      [small.id, large.id],
    )
    await expect(approvals.approve(second, small.id, 'yes')).rejects.toThrow()
    await tamper('update approvals set requested_by = $2 where id = $1', [large.id, third.operatorId])
    await expect(approvals.approve(asker, large.id, 'yes')).rejects.toThrow('was changed')
    expect([await countActs(small), await countActs(large)]).toEqual([0, 0])
    // These rows would make every list fail.
    await tamper('delete from approvals where id = any($1)', [[small.id, large.id]])
  })

  it('shows what was asked for to nobody who has it alone', async () => {
    const { id } = await ask('a secret act')
    const { rows } = await test.database.query<{ sealed_request: Buffer }>(
      'select sealed_request from approvals where id = $1',
      [id],
    )
    expect(rows[0]?.sealed_request.includes('secret')).toBe(false)
    expect(JSON.stringify(await test.database.query('select after from audit_log'))).not.toContain('1234')
  })
})

it('approvals are listed newest first, by state and kind, page by page', async () => {
  const [first, middle, last] = [await ask(), await ask(), await ask()]
  const ids = async (beforeId: bigint | null, limit: number) =>
    (await approvals.list({ state: 'pending', kind: 'act', beforeId, limit })).map(({ id }) => id)
  expect(await ids(null, 2)).toEqual([last.id, middle.id])
  expect((await ids(middle.id, 1))[0]).toBe(first.id)
  expect(await approvals.list({ state: null, kind: 'other', beforeId: null, limit: 5 })).toEqual([])
})

it('requests that wait are listed as they concern the reader, who sees some kinds and their own', async () => {
  const [theirs, own] = [await ask(), await ask('own', { by: second })]
  const list = async (caller: ApprovalOperator, scope: ApprovalScope | null, limit = 2, from = approvals) =>
    (await from.listPending(caller, { scope, limit })).map((each) => [each.id, each.isOwn, each.mayDecide])
  expect(await list(second, null)).toEqual([
    [own.id, true, false],
    [theirs.id, false, true],
  ])
  expect(await list({ ...second, via: 'token' }, null, 1)).toEqual([[own.id, true, false]])
  const stranger: ApprovalOperator = { ...second, operatorId: 0n }
  expect(await list(stranger, null)).toEqual([
    [own.id, false, false],
    [theirs.id, false, false],
  ])
  const ofOthers = { kinds: ['other'], operatorId: (await newOperator('reads-alone')).operatorId }
  expect(await list(second, ofOthers)).toEqual([])
  await expect(approvals.get(own.id, ofOthers)).rejects.toMatchObject({ status: 404 })
  const ofSecond = { kinds: ['other'], operatorId: second.operatorId }
  expect(await list(second, ofSecond, 1)).toEqual([[own.id, true, false]])
  expect(await approvals.get(own.id, ofSecond)).toMatchObject({ id: own.id })
  const broken = () => {
    throw new Error('a bug')
  }
  const faulty = withDecisions(
    createApprovals({ log, executors: { act }, mayDecide: broken, mayRequest: mayDecide }),
  )
  await expect(list(second, null, 2, faulty)).rejects.toThrow('a bug')
})
