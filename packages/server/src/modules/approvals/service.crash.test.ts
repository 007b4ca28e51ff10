import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase, UncertainCommitError } from '../../db/database.ts'
import type { TestApprovals } from '../../testing/approvals.ts'
import { act, newApprover, withDecisions } from '../../testing/approvals.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { BreakableLine } from '../../testing/network/breakable-line.ts'
import { openBreakableLine } from '../../testing/network/breakable-line.ts'
import { createAuditLog } from '../audit/service.ts'
import type { AuditLog } from '../audit/types.ts'
import { createApprovals } from './service.ts'
import type { Approval, ApprovalOperator } from './types.ts'

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
  asker = await newApprover(test, 'asker')
  second = await newApprover(test, 'second')
  third = await newApprover(test, 'third')
})
afterAll(() => test.close())

function ask(what: string): Promise<Approval> {
  const target = { kind: 'thing', id: 'x' }
  return approvals.request(asker, { kind: 'act', target, command: { what, fails: null }, reason: 'needed' })
}

async function countActs({ id }: Approval): Promise<number> {
  return (await test.database.query('select from acts where approval_id = $1', [id])).rowCount
}

describe('an answer to COMMIT that is lost', () => {
  async function onBreakableLine(
    work: (own: TestApprovals, line: BreakableLine) => Promise<void>,
  ): Promise<void> {
    const line = await openBreakableLine(test.connection)
    const database = openDatabase({ connection: line.connection, connectionsMax: 4, applicationName: 'test' })
    const own = createAuditLog({ database, vault: test.vault })
    await own.key()
    await work(
      withDecisions(createApprovals({ log: own, executors: { act }, mayDecide, mayRequest: mayDecide })),
      line,
    )
    await database.close()
    await line.close()
  }

  it.each(['before', 'after'] as const)(
    'an approval cut %s it was carried out is uncertain, and approving again carries it out once',
    async (when) => {
      const asked = await ask(`cut ${when}`)
      await onBreakableLine(async (own, line) => {
        line.breakCommit(when)
        await expect(own.approve(second, asked.id, 'checked')).rejects.toBeInstanceOf(UncertainCommitError)
        expect(await countActs(asked)).toBe(when === 'after' ? 1 : 0)
        expect(await own.approve(second, asked.id, 'checked')).toMatchObject({ state: 'approved' })
      })
      expect(await countActs(asked)).toBe(1)
    },
  )

  it('a request that is sent again is the same request, and only an equal one', async () => {
    const request = {
      kind: 'act',
      target: { kind: 'thing', id: 'lost' },
      command: { what: 'lost', fails: null },
    }
    const send = (from: TestApprovals, reason = 'it is needed', by = asker) =>
      from.request(by, { ...request, reason, isRepeatable: true })
    let first: bigint | undefined
    await onBreakableLine(async (own, line) => {
      line.breakCommit('after')
      await expect(send(own)).rejects.toBeInstanceOf(UncertainCommitError)
      first = (await send(own)).id
    })
    const listed = (
      await approvals.list({ state: 'pending', kind: null, beforeId: null, limit: 100 })
    ).filter(({ target }) => target.id === 'lost')
    expect(listed.map(({ id }) => id)).toEqual([first])
    const many = await Promise.all(Array.from({ length: 10 }, () => send(approvals)))
    expect(new Set(many.map(({ id }) => id))).toEqual(new Set([first]))
    for (const other of [
      await send(approvals, 'another reason'),
      await send(approvals, 'it is needed', third),
    ]) {
      expect(other).toMatchObject({ state: 'pending' })
      expect(other.id).not.toBe(first)
    }
    await approvals.refuse(second, first as bigint, 'no')
    expect((await send(approvals)).id).not.toBe(first)
  })
})

it('a request whose time is over is neither listed as pending nor taken for an equal one', async () => {
  const brief = withDecisions(
    createApprovals({ log, executors: { act }, mayDecide, mayRequest: mayDecide, ttlMs: 0 }),
  )
  const target = { kind: 'thing', id: 'over' }
  const request = { kind: 'act', target, command: { what: 'over' }, reason: 'needed', isRepeatable: true }
  const [first, again] = [await brief.request(asker, request), await brief.request(asker, request)]
  expect(again.id).not.toBe(first.id)
  const pending = await approvals.listPending(second, { scope: null, limit: 100 })
  expect(pending.filter((each) => each.target.id === 'over')).toEqual([])
})
