import { afterAll, beforeAll, expect, it } from 'vitest'
import { payerAt } from '../payments.ts'
import type { Shop } from '../portal/members.ts'
import { dataOf, openShop } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import { signIn } from '../portal/people.ts'
import { slipOf } from '../portal/slips.ts'
import type { ServiceProcess, TestDatabase } from '../service.ts'
import { createDatabase, newMasterKey, startService, stopServices } from '../service.ts'
import { hireOperator } from './operators.ts'

let database: TestDatabase
let service: ServiceProcess
const MASTER_KEY = newMasterKey()

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database, masterKey: MASTER_KEY })
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

const REQUESTS = 18
const ANSWERED_BEFORE = 5
const RINGGIT_EACH = 10

type Approval = { id: string; state: string }
type Request = { id: string; state: string }

async function reportAll({ admin }: Shop): Promise<Request[]> {
  return Promise.all(
    Array.from({ length: REQUESTS }, async (_, index) =>
      dataOf<Request>(
        await admin.send(
          'POST',
          '/deposit-requests',
          slipOf(`CRASH-${index}`, { amount: String(RINGGIT_EACH) }),
        ),
      ),
    ),
  )
}

async function accept(by: Browser, { id }: Request): Promise<Approval> {
  return dataOf<Approval>(await by.send('POST', `/deposit-requests/${id}/accept`, { reason: 'seen' }))
}

const approve = (by: Browser, { id }: Approval) =>
  by.send('POST', `/approvals/${id}/approve`, { reason: 'looked at it' })

/** Approves all at once, and kills the service when some are answered. */
async function approveAndKill(by: Browser, approvals: readonly Approval[]): Promise<Set<string>> {
  const acknowledged = new Set<string>()
  let killed: Promise<void> | undefined
  await Promise.allSettled(
    approvals.map(async (approval) => {
      if ((await approve(by, approval)).status === 200) acknowledged.add(approval.id)
      if (acknowledged.size >= ANSWERED_BEFORE) killed ??= service.kill9()
    }),
  )
  await killed
  return acknowledged
}

it('a reported transfer whose approval was killed under way is credited if and only if it is in the wallet', async () => {
  const people = [await hireOperator(service, 'finance'), await hireOperator(service, 'finance')] as const
  const shop = await openShop(service, null)
  const requests = await reportAll(shop)
  const first = await signIn(service, 'operator', people[0])
  const approvals: Approval[] = []
  for (const request of requests) approvals.push(await accept(first, request))
  const acknowledged = await approveAndKill(await signIn(service, 'operator', people[1]), approvals)
  expect(acknowledged.size).toBeGreaterThanOrEqual(ANSWERED_BEFORE)

  service = await startService({ database, masterKey: MASTER_KEY })
  const second = await signIn(service, 'operator', people[1])
  const here = payerAt(service, { ...shop.payer.credentials, account: shop.payer.account })
  const credited = async () => {
    const listed = dataOf<Request[]>(await second.get('/deposit-requests?state=credited&limit=200'))
    return listed.length
  }
  expect(await credited()).toBeGreaterThanOrEqual(acknowledged.size)
  expect(await here.balance()).toBe((await credited()) * RINGGIT_EACH)

  // A client without an answer sends its approval again; nothing is posted twice.
  for (const approval of approvals) expect((await approve(second, approval)).status).toBe(200)
  expect(await credited()).toBe(REQUESTS)
  expect(await here.balance()).toBe(REQUESTS * RINGGIT_EACH)
})
