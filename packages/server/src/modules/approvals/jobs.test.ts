import { afterAll, beforeAll, expect, it } from 'vitest'
import { newApprover } from '../../testing/approvals.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { createAlerts, listAlerts } from '../alerts/core/service.ts'
import { watchApprovals } from './jobs.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('a request that waits half an hour for a second person is an alert until it is decided or expires', async () => {
  const { database } = test
  const { operatorId } = await newApprover(test, 'asks')
  const { operatorId: decides } = await newApprover(test, 'decides')
  const ask = async (minutesAgo: number, expiresInMinutes: number) => {
    const { rows } = await database.query<{ id: bigint }>(
      `insert into approvals (kind, target_kind, target, requested_by, sealed_request, requested_at, expires_at)
       values ('deposit', 'reseller', '1', $1, '', clock_timestamp() - make_interval(mins => $2),
               clock_timestamp() + make_interval(mins => $3)) returning id`,
      [operatorId, minutesAgo, expiresInMinutes],
    )
    return String(rows[0]?.id)
  }
  const watch = () => watchApprovals({ database, alerts: createAlerts({ database, onRaised: () => {} }) })
  const open = async () =>
    (await listAlerts(database, { limit: 10, withCleared: false })).map(({ kind, subject, times }) => ({
      kind,
      subject,
      times,
    }))

  await ask(29, 60)
  await ask(90, -1)
  const late = await ask(31, 60)
  await watch()
  await watch()
  expect(await open()).toEqual([{ kind: 'approval_waiting', subject: late, times: 1n }])

  await database.query(
    `update approvals set state = 'approved', decided_by = $2, decided_at = clock_timestamp() where id = $1`,
    [late, decides],
  )
  await watch()
  expect(await open()).toEqual([])
})
