import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestApprovals } from '../../testing/approvals.ts'
import { newApprover, withDecisions } from '../../testing/approvals.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { sessionsOf } from '../../testing/sessions.ts'
import { perform } from '../acts/service.ts'
import type { Consent } from '../acts/types.ts'
import type { Approval, ApprovalOperator } from '../approvals/types.ts'
import { createAuditLog } from '../audit/service.ts'
import type { AuditLog } from '../audit/types.ts'
import { createOperatorApprovals } from '../operator/approvals/service.ts'
import { askedOf } from '../operator/kit/acts.service.ts'
import { setRate } from './acts.ts'
import { listRates, readRates } from './service.ts'

let test: TestDatabase
let log: AuditLog
let approvals: TestApprovals
let asker: ApprovalOperator
let second: ApprovalOperator
let currency = ''
let number = 0

beforeAll(async () => {
  test = await openTestDatabase()
  log = createAuditLog(test)
  approvals = withDecisions(
    createOperatorApprovals({
      log,
      priceChangeMaxPercent: 20,
      sessions: sessionsOf(test, log),
    }),
  )
  ;[asker, second] = [await newApprover(test, 'asker'), await newApprover(test, 'second')]
})
afterAll(() => test.close())
beforeEach(() => {
  number += 1
  currency = `QA${String.fromCharCode(64 + number)}`
})

async function ask(rate: string, by = asker, change: object = {}): Promise<Approval> {
  const stage = { log, world: undefined, ask: askedOf(approvals) }
  const input = { currency, rate, ...change }
  const outcome = await perform(stage, setRate, { caller: by, input, reason: `rate ${rate}` })
  if (outcome.kind === 'refused') throw outcome.error
  if (outcome.kind !== 'asked') throw new Error('one operator alone set a rate')
  return outcome.asked
}

async function setAtMachine(rate: string, from?: string) {
  const consent: Consent = { kind: 'accepted', loss: undefined }
  const stage = { log, world: undefined, ask: () => Promise.reject(new Error('nobody is asked')) }
  const caller = { kind: 'command', name: 'aminah' } as const
  const input = { currency, rate, from }
  const outcome = await perform(stage, setRate, { caller, input, reason: 'bank', consent })
  if (outcome.kind === 'refused') throw outcome.error
}

const approve = ({ id }: Approval, by = second) => approvals.approve(by, id, 'looked it up')

const history = async () =>
  (await listRates(test.database, { currency, state: null, afterId: null, limit: 10 })).map((each) => ({
    rate: Number(each.rate) / 1e8,
    state: each.state,
    setBy: each.setBy,
    approvedBy: each.approvedBy,
    reason: each.reason,
  }))

describe('a rate', () => {
  it('is in force when a second operator has approved it, and the history names both', async () => {
    const asked = await ask('4.70')
    expect(asked).toMatchObject({ kind: 'rate_change', command: { currency, rate: '4.7', before: null } })
    expect((await readRates(test.database)).has(currency)).toBe(false)
    await expect(approve(asked, asker)).rejects.toMatchObject({ code: 'own_request' })
    await approve(asked)
    expect((await readRates(test.database)).get(currency)).toBe(470_000_000n)
    expect(await history()).toEqual([
      {
        rate: 4.7,
        state: 'in_force',
        setBy: asker.email,
        approvedBy: second.email,
        reason: 'rate 4.70',
      },
    ])
  })

  it('two operators who ask at once get the rate that is approved first, and the other one is asked for again', async () => {
    const wanted = await Promise.all([ask('4.70'), ask('4.80', second)])
    const decided = await Promise.allSettled([approve(wanted[0]), approve(wanted[1], asker)])
    expect(decided.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(decided.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409, code: 'rate_changed' },
    })
    expect(await history()).toHaveLength(1)
  })

  it('several rates that are set at once follow each other, and the last one is in force', async () => {
    await Promise.all(['4.1', '4.2', '4.3'].map((rate) => setAtMachine(rate)))
    const found = await history()
    expect(found.map(({ state }) => state)).toEqual(['in_force', 'past', 'past'])
    const [latest] = found
    expect(Number((await readRates(test.database)).get(currency)) / 1e8).toBe(latest?.rate)
  })

  it('a rate of a time that is over stays, and one may be given where there was none', async () => {
    await setAtMachine('4.00', '2026-01-01')
    await setAtMachine('3.90', '2025-06-01')
    await expect(setAtMachine('3.00', '2026-02-01')).rejects.toMatchObject({
      fields: { from: expect.anything() },
    })
    await expect(setAtMachine('3.00', '2099-01-01')).rejects.toMatchObject({
      fields: { from: expect.anything() },
    })
    const { rows } = await test.database.query(
      `select rate_at($1, '2025-12-31T00:00Z')::float8 as earlier, rate_at($1, '2026-01-02T00:00Z')::float8 as later,
              rate_at($1, '2025-01-01T00:00Z') as none, rate_at('MYR', now())::float8 as ringgit`,
      [currency],
    )
    expect(rows).toEqual([{ earlier: 3.9, later: 4, none: null, ringgit: 1 }])
    await expect(test.database.query('delete from currency_rates')).rejects.toThrow('immutable')
  })

  it('the ringgit has no rate but 1', async () => {
    currency = 'MYR'
    await expect(ask('2')).rejects.toMatchObject({ fields: { currency: ['MYR is always 1'] } })
  })
})
