import { afterAll, beforeAll, expect, it } from 'vitest'
import { newApprover } from '../../testing/approvals.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { newReseller } from '../../testing/events/deliveries.ts'
import { withBreakableDatabase } from '../../testing/network/breakable-line.ts'
import { performAlone } from '../acts/service.ts'
import { createAuditLog } from '../audit/service.ts'
import { refuseDeposit } from './acts.ts'
import { getRequest, reportTransfer } from './service.ts'

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

it('a refusal of a reported transfer is answered although the database is lost right after its commit', async () => {
  const caller = await newApprover(test, 'one')
  const id = await report()
  await withBreakableDatabase(test.connection, async (database, line) => {
    const log = createAuditLog({ ...test, database })
    await log.key()
    line.breakCommit('answered')
    const { request } = await performAlone({ log, world: undefined }, refuseDeposit, {
      caller,
      input: { id: String(id) },
      reason: 'no such transfer',
    })
    expect(request).toMatchObject({ id, state: 'refused', refusal: 'no such transfer' })
  })
  expect((await getRequest(test.database, id, null)).state).toBe('refused')
})
