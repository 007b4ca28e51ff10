import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApprovals } from '../../testing/approvals.ts'
import { act, actionsAbout, listActs, newApprover, withDecisions } from '../../testing/approvals.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { createAuditLog } from '../audit/service.ts'
import type { AuditLog } from '../audit/types.ts'
import { verifyAudit } from '../audit/verify.service.ts'
import { createApprovals } from './service.ts'
import type { Approval, ApprovalOperator, NewApproval } from './types.ts'

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
  approvals = withDecisions(
    createApprovals({ log, executors: { act, other: act }, mayDecide, mayRequest: mayDecide }),
  )
  asker = await newApprover(test, 'asker')
  second = await newApprover(test, 'second')
  third = await newApprover(test, 'third')
})
afterAll(() => test.close())

const actionsOf = (approval: Approval) => actionsAbout(log, approval)

function requestOf(what: string): NewApproval {
  return {
    kind: 'act',
    target: { kind: 'thing', id: 'x' },
    command: { what, pin: '1234', fails: null },
    reason: 'it is needed',
  }
}

const ask = (what = 'this') => approvals.request(asker, requestOf(what))

async function countActs({ id }: Approval): Promise<number> {
  return (await test.database.query('select from acts where approval_id = $1', [id])).rowCount
}

describe('two who decide at once', () => {
  it('make exactly one decision, and it is carried out once or not at all', async () => {
    for (let round = 0; round < 10; round += 1) {
      const asked = await ask(`round ${round}`)
      const outcomes = await Promise.allSettled([
        approvals.approve(second, asked.id, 'yes'),
        approvals.approve(third, asked.id, 'yes'),
        approvals.refuse(third, asked.id, 'no'),
        approvals.withdraw(asker, asked.id, 'never mind'),
      ])
      const won = outcomes.filter(({ status }) => status === 'fulfilled')
      expect(won).toHaveLength(1)
      for (const each of outcomes) {
        if (each.status === 'rejected')
          expect(each.reason).toMatchObject({ status: 409, code: 'already_decided' })
      }
      const { state } = await approvals.get(asked.id)
      expect(await countActs(asked)).toBe(state === 'approved' ? 1 : 0)
      expect(await actionsOf(asked)).toHaveLength(2)
    }
    expect((await verifyAudit(log)).broken).toBeUndefined()
  })

  it('as one operator who sent it twice both learn what came of it, and it is done once', async () => {
    const asked = await ask()
    const approve = () => approvals.approve(second, asked.id, 'yes')
    const answers = await Promise.all([approve(), approve(), approve()])
    for (const answer of [...answers, await approve()]) {
      expect(answer).toMatchObject({ state: 'approved', decision: { outcome: { did: 'this' } } })
    }
    expect([await countActs(asked), await actionsOf(asked)]).toEqual([1, ['act.request', 'act.approve']])
  })
})

describe('a request that may be sent again', () => {
  const repeatable = (what: string): NewApproval => ({ ...requestOf(what), isRepeatable: true })

  it('is one request, however often and at once it is sent, and what goes with it is done once', async () => {
    const alongside: NewApproval['alongside'] = async (tx, id) => {
      await tx.query(`insert into acts values ($1, 'alongside')`, [id])
    }
    const send = () => approvals.request(asker, { ...repeatable('once'), alongside })
    const answers = await Promise.all([send(), send(), send()])
    const [first] = answers
    for (const answer of [...answers, await send()]) expect(answer).toEqual(first)
    expect(await actionsOf(first)).toEqual(['act.request'])
    expect(await countActs(first)).toBe(1)
  })

  it('is another request when anything in it differs, or when another operator makes it', async () => {
    const request = repeatable('equal')
    const others: [ApprovalOperator, NewApproval][] = [
      [asker, { ...request, isRepeatable: false }],
      [asker, { ...request, kind: 'other' }],
      [asker, { ...request, target: { kind: 'thing', id: 'y' } }],
      [asker, { ...request, command: { ...request.command, pin: '4321' } }],
      [asker, { ...request, reason: 'it is needed very much' }],
      [second, request],
    ]
    const { id } = await approvals.request(asker, request)
    const ids = [id]
    for (const [caller, other] of others) ids.push((await approvals.request(caller, other)).id)
    expect(new Set(ids).size).toBe(ids.length)
    // The newest equal request is the answer: the one that was not to be repeated.
    expect((await approvals.request(asker, request)).id).toBe(ids[1])
  })

  it('is a new request when the earlier one is decided, or its time is over', async () => {
    const request = repeatable('again')
    const brief = withDecisions(
      createApprovals({ log, executors: { act }, mayDecide, mayRequest: mayDecide, ttlMs: 0 }),
    )
    const expired = await brief.request(asker, request)
    const refused = await approvals.request(asker, request)
    await approvals.refuse(second, refused.id, 'no')
    const pending = await approvals.request(asker, request)
    expect(new Set([expired.id, refused.id, pending.id]).size).toBe(3)
  })
})

it('the log has what was asked for and decided, without a result where nothing was done', async () => {
  const refused = await ask('nothing')
  await approvals.refuse(second, refused.id, 'no')
  const approved = await ask('something')
  await approvals.approve(second, approved.id, 'yes')
  const rows = await listActs(log, 4)
  const about = ({ id }: Approval) => ({ approval: String(id), requested_by: 'asker@example.com' })
  expect(rows.map(({ action, after }) => [action, JSON.parse(after ?? 'null')])).toEqual([
    ['act.approve', { ...about(approved), result: { is: 2 } }],
    ['act.request', expect.objectContaining({ approval: String(approved.id), what: 'something' })],
    ['act.refuse', about(refused)],
    ['act.request', expect.objectContaining({ approval: String(refused.id), what: 'nothing' })],
  ])
})
