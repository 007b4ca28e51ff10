import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../db/database.ts'
import { RequestError } from '../../lib/errors.ts'
import { UNITS_PER_RINGGIT } from '../../lib/money.ts'
import type { TestApprovals } from '../../testing/approvals.ts'
import { newApprover, withDecisions } from '../../testing/approvals.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { untilWaiting } from '../../testing/payments/payments.ts'
import { createReseller } from '../accounts/service.ts'
import type { Reseller } from '../accounts/types.ts'
import { createApprovals } from '../approvals/service.ts'
import type { ApprovalOperator } from '../approvals/types.ts'
import { createAuditLog } from '../audit/service.ts'
import { deposit } from '../wallet/balance/service.ts'
import { mayMove } from './rules.ts'
import type { Report } from './service.ts'
import {
  acceptRequest,
  creditRequest,
  getRequest,
  openSlip,
  refuseRequest,
  reportTransfer,
  withdrawRequest,
} from './service.ts'
import type { DepositRequest, DepositState } from './types.ts'
import { DEPOSIT_STATES } from './types.ts'

// Everything that can happen to a reported transfer, at the same moment and in any order: the wallet holds what is
// credited, and each transfer is credited at most once.

let test: TestDatabase
let approvals: TestApprovals
let operators: readonly [ApprovalOperator, ApprovalOperator, ApprovalOperator]
let reseller: Reseller

const always = () => true

beforeAll(async () => {
  test = await openTestDatabase()
  approvals = withDecisions(
    createApprovals({
      log: createAuditLog(test),
      executors: {
        credit: async (tx, _database, { id, command }) => {
          await creditRequest(
            tx,
            BigInt(command.request ?? ''),
            id,
            ({ resellerId, amount, bankReference }) =>
              deposit(tx, { resellerId, amount, remarks: 'Bank', reference: bankReference }),
          )
          return { target: { kind: 'wallet', id: 'x' }, before: null, after: null, result: null }
        },
      },
      mayDecide: always,
      mayRequest: always,
    }),
  )
  operators = [
    await newApprover(test, 'one'),
    await newApprover(test, 'two'),
    await newApprover(test, 'three'),
  ]
  const wanted = { name: 'Kedai', email: 'kedai@example.com', priceLevel: 'STANDARD' }
  reseller = await createReseller({ ...test, environment: 'staging' }, wanted)
})
afterAll(() => test.close())

let reports = 0

async function report(): Promise<DepositRequest> {
  reports += 1
  // The limit of a day is not what is tested here.
  await test.database.query(`update deposit_requests set reported_at = reported_at - interval '2 days'`)
  return (await reportSlip(reports)).request
}

function reportSlip(number: number): Promise<Report> {
  const transfer = {
    amount: BigInt(number) * UNITS_PER_RINGGIT,
    transferredOn: 20_000,
    bankReference: `slip ${number}`,
    note: '',
  }
  const slip = { kind: 'pdf', bytes: Buffer.from(`slip ${number}`) } as const
  const reporter = { userId: 1n, username: 'siti', reseller }
  return test.database.transaction((tx) => reportTransfer(tx, test.vault, reporter, transfer, slip))
}

const ACTS = ['accept', 'approve', 'refuse', 'drop', 'withdraw'] as const
type Act = (typeof ACTS)[number]

/** Does one act. A conflict is an answer, everything else is an error. */
async function perform(act: Act, request: DepositRequest, who: number): Promise<void> {
  const operator = operators[who % 3] as ApprovalOperator
  const { database } = test
  const work: Readonly<Record<Act, () => Promise<unknown>>> = {
    accept: () =>
      approvals.request(operator, {
        kind: 'credit',
        target: { kind: 'wallet', id: reseller.account },
        command: { request: String(request.id) },
        reason: `seen ${who}`,
        isRepeatable: true,
        alongside: (tx, approvalId) =>
          acceptRequest(tx, request.id, { operatorId: operator.operatorId, approvalId }),
      }),
    approve: async () => approvals.approve(operator, await pendingOf(request), 'compared'),
    drop: async () => approvals.refuse(operator, await pendingOf(request), 'not sure'),
    refuse: () =>
      database.transaction((tx) =>
        refuseRequest(tx, request.id, { operatorId: operator.operatorId, reason: 'unknown at the bank' }),
      ),
    withdraw: () => database.transaction((tx) => withdrawRequest(tx, request.id, reseller.id)),
  }
  await work[act]().catch((error: unknown) => {
    if (!(error instanceof RequestError) || ![403, 404, 409].includes(error.status)) throw error
  })
}

async function pendingOf({ id }: DepositRequest): Promise<bigint> {
  return (await getRequest(test.database, id, null)).approvalId ?? 0n
}

async function expectSound(): Promise<void> {
  const { rows } = await test.database.query<{
    credited: bigint
    posted: bigint
    balance: bigint
    twice: bigint
  }>(
    `select (select coalesce(sum(amount), 0)::bigint from deposit_requests where state = 'credited') as credited,
            (select coalesce(sum(amount), 0)::bigint from transfers where reseller_id = $1) as posted,
            (select balance from wallets where reseller_id = $1) as balance,
            (select count(*) from (select from deposit_requests where state = 'credited'
                                    group by entry_sequence having count(*) > 1) t) as twice`,
    [reseller.id],
  )
  const [row] = rows
  expect(row?.twice).toBe(0n)
  expect(row?.posted).toBe(row?.credited)
  expect(row?.balance).toBe(row?.credited)
}

const act = fc.constantFrom(...ACTS)

describe('a reported transfer', () => {
  it('is credited at most once, whatever operators and reseller do one after the other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(act, fc.nat(2)), { maxLength: 8 }), async (acts) => {
        const request = await report()
        let { state } = request
        for (const [each, who] of acts) {
          await perform(each, request, who)
          const next = (await getRequest(test.database, request.id, null)).state
          expect(isExplained(state, next)).toBe(true)
          state = next
        }
        await test.database.query(
          `update deposit_requests set state = 'withdrawn', approval_id = null
            where state in ('reported', 'accepted')`,
        )
        await expectSound()
      }),
      { numRuns: 25 },
    )
  })

  it('is credited at most once, whatever they do at the same moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(act, fc.nat(2)), { minLength: 3, maxLength: 8 }), async (acts) => {
        const request = await report()
        await perform('accept', request, 0)
        await Promise.all(acts.map(([each, who]) => perform(each, request, who)))
        const { state, entrySequence } = await getRequest(test.database, request.id, null)
        expect(DEPOSIT_STATES).toContain(state)
        expect(state === 'credited').toBe(entrySequence !== null)
        await test.database.query(
          `update deposit_requests set state = 'withdrawn', approval_id = null
            where state in ('reported', 'accepted')`,
        )
        await expectSound()
      }),
      { numRuns: 25 },
    )
  })

  it('a reported transfer that many approve at once is posted once', async () => {
    const request = await report()
    await perform('accept', request, 0)
    await Promise.all(Array.from({ length: 8 }, (_, index) => perform('approve', request, 1 + (index % 2))))
    expect((await getRequest(test.database, request.id, null)).state).toBe('credited')
    await expectSound()
  })

  it('a reported transfer that was moved in the meantime is not asked for: no approval is left behind', async () => {
    const request = await report()
    await perform('withdraw', request, 0)
    const count = async () =>
      (await test.database.query<{ count: bigint }>('select count(*) from approvals')).rows[0]?.count
    const before = await count()
    await perform('accept', request, 0)
    expect(await count()).toBe(before)
  })

  it('an act that waits for another one on the same transfer is judged by what that one left', async () => {
    const request = await report()
    const operator = { operatorId: operators[0].operatorId, reason: 'unknown at the bank' }
    const refused = await whileActing(
      (tx) => withdrawRequest(tx, request.id, reseller.id),
      (tx) => refuseRequest(tx, request.id, operator),
    )
    expect(refused).toMatchObject({ status: 409 })
    expect((await getRequest(test.database, request.id, null)).state).toBe('withdrawn')
  })

  it('a transfer that two operators accept at once waits for the approval of one of them', async () => {
    const request = await report()
    const { operatorId } = operators[0]
    const { id: approvalId } = await approvals.request(operators[0], {
      kind: 'credit',
      target: { kind: 'wallet', id: reseller.account },
      command: { request: String(request.id) },
      reason: 'seen',
    })
    const refused = await whileActing(
      (tx) => acceptRequest(tx, request.id, { operatorId, approvalId }),
      (tx) => acceptRequest(tx, request.id, { operatorId, approvalId: approvalId + 1n }),
    )
    expect(refused).toMatchObject({ status: 409 })
    expect(await getRequest(test.database, request.id, null)).toMatchObject({ state: 'accepted', approvalId })
  })

  it('a reported transfer is credited by no other approval than the one that it waits for', async () => {
    const request = await report()
    await perform('accept', request, 0)
    const other = (await pendingOf(request)) + 1n
    const post = () => Promise.reject(new Error('money was moved'))
    const credited = test.database.transaction((tx) => creditRequest(tx, request.id, other, post))
    await expect(credited).rejects.toMatchObject({ status: 409 })
    expect(await getRequest(test.database, request.id, null)).toMatchObject({ state: 'accepted' })
  })

  it('a second approval for the same reported transfer posts nothing, and the first one still does', async () => {
    const request = await report()
    await perform('accept', request, 0)
    const { id } = await approvals.request(operators[0], {
      kind: 'credit',
      target: { kind: 'wallet', id: reseller.account },
      command: { request: String(request.id) },
      reason: 'a second time',
    })
    await expect(approvals.approve(operators[1], id, 'compared')).rejects.toMatchObject({ status: 409 })
    expect((await approvals.get(id)).state).toBe('pending')
    await perform('approve', request, 1)
    expect((await getRequest(test.database, request.id, null)).state).toBe('credited')
    await expectSound()
  })

  it('a transfer that is reported again with the same slip, one after the other or at once, is one request', async () => {
    const request = await report()
    const again = await reportSlip(reports)
    expect(again).toMatchObject({ isRepeat: true, request: { id: request.id } })
    reports += 1
    const twins = await Promise.all([reportSlip(reports), reportSlip(reports)])
    expect(twins.map(({ isRepeat }) => isRepeat).sort()).toEqual([false, true])
    expect(twins[0].request.id).toBe(twins[1].request.id)
  })

  it('a reported transfer of one reseller is unknown to every other', async () => {
    const request = await report()
    const wanted = { name: 'Kedai Lain', email: 'lain@example.com', priceLevel: 'STANDARD' }
    const { id: other } = await createReseller({ ...test, environment: 'staging' }, wanted)
    const { database, vault } = test
    for (const read of [
      () => getRequest(database, request.id, other),
      () => openSlip(database, vault, request.id, other),
      () => database.transaction((tx) => withdrawRequest(tx, request.id, other)),
    ]) {
      await expect(read()).rejects.toMatchObject({ status: 404 })
    }
    expect(await getRequest(database, request.id, reseller.id)).toMatchObject({ state: 'reported' })
  })
})

/** Starts a second act while the first one is not committed. Returns the result of the second, or its error. */
async function whileActing(
  first: (tx: Tx) => Promise<unknown>,
  second: (tx: Tx) => Promise<unknown>,
): Promise<unknown> {
  let waiting: Promise<unknown> = Promise.resolve()
  await test.database.transaction(async (tx) => {
    await first(tx)
    waiting = test.database.transaction(second).catch((error: unknown) => error)
    await untilWaiting(test.database, 'deposit_requests', 1)
  })
  return waiting
}

/** Tells whether the table of moves leads from one state to the next; a lapsed acceptance counts as reported. */
function isExplained(from: DepositState, to: DepositState): boolean {
  return from === to || mayMove(from, to) || (from === 'accepted' && to === 'reported')
}
