import { afterAll, beforeAll, expect, it } from 'vitest'
import { UncertainCommitError } from '../../../db/database.ts'
import { newApprover } from '../../../testing/approvals.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { newReseller } from '../../../testing/events/deliveries.ts'
import { withBreakableDatabase } from '../../../testing/network/breakable-line.ts'
import { createAuditLog } from '../../audit/service.ts'
import { reportTransfer } from '../../deposits/service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { getForOperators, refuseForOperators } from './deposit-requests.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

async function report(): Promise<bigint> {
  const reseller = await newReseller(test)
  const transfer = { amount: 1_000_000n, transferredOn: 20_000, bankReference: 'slip 1', note: '' }
  const slip = { kind: 'pdf', bytes: Buffer.from('slip 1') } as const
  const reporter = { userId: 1n, username: 'siti', reseller }
  const { request } = await test.database.transaction((tx) =>
    reportTransfer(tx, test.vault, reporter, transfer, slip),
  )
  return request.id
}

it('a refusal of a reported transfer is uncertain when the database is lost right after its commit', async () => {
  const caller: OperatorCaller = {
    ...(await newApprover(test, 'one')),
    name: 'one',
    role: 'finance',
  }
  const id = String(await report())
  await withBreakableDatabase(test.connection, async (database, line) => {
    const context = { database, log: createAuditLog({ ...test, database }) }
    await context.log.key()
    line.breakCommit('answered')
    const refused = refuseForOperators(context, caller, id, 'no such transfer')
    await expect(refused).rejects.toBeInstanceOf(UncertainCommitError)
  })
  expect((await getForOperators(test, id)).request.state).toBe('refused')
})
