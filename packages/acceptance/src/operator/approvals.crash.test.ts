import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Payer } from '../payments.ts'
import { createPayer, payerAt } from '../payments.ts'
import { dataOf } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import { signIn } from '../portal/people.ts'
import type { ServiceProcess, TestDatabase } from '../service.ts'
import { createDatabase, newMasterKey, startService, stopServices } from '../service.ts'
import type { Person } from './operators.ts'
import { hireOperator } from './operators.ts'

let database: TestDatabase
let service: ServiceProcess

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database, masterKey: MASTER_KEY })
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

const MASTER_KEY = newMasterKey()
const DEPOSITS = 24
const ANSWERED_BEFORE = 6
const RINGGIT_EACH = 10

type Approval = { id: string; state: string }

async function askForDeposits(by: Browser, { account }: Payer): Promise<Approval[]> {
  const asked = Array.from({ length: DEPOSITS }, async (_, index) => {
    const posting = { account, amount: String(RINGGIT_EACH), remarks: `Slip ${index}`, reason: 'seen' }
    return dataOf<Approval>(await by.send('POST', '/deposits', posting))
  })
  return Promise.all(asked)
}

const approve = (by: Browser, { id }: Approval) =>
  by.send('POST', `/approvals/${id}/approve`, { reason: 'looked at it' })

/** Approves all at once, and kills the service when some are answered. Returns the acknowledged ones. */
async function approveAndKill(by: Browser, approvals: readonly Approval[]): Promise<Set<string>> {
  const acknowledged = new Set<string>()
  let killed: Promise<void> | undefined
  await Promise.allSettled(
    approvals.map(async (approval) => {
      const { status } = await approve(by, approval)
      if (status === 200) acknowledged.add(approval.id)
      if (acknowledged.size >= ANSWERED_BEFORE) killed ??= service.kill9()
    }),
  )
  await killed
  return acknowledged
}

it('deposits whose approval was killed under way: each is posted if and only if it is approved', async () => {
  const people = [await hireOperator(service, 'finance'), await hireOperator(service, 'finance')] as [
    Person,
    Person,
  ]
  const payer = await createPayer(service, null)
  const first = await signIn(service, 'operator', people[0])
  const approvals = await askForDeposits(first, payer)
  const acknowledged = await approveAndKill(await signIn(service, 'operator', people[1]), approvals)
  expect(acknowledged.size).toBeGreaterThanOrEqual(ANSWERED_BEFORE)

  service = await startService({ database, masterKey: MASTER_KEY })
  const second = await signIn(service, 'operator', people[1])
  const here = payerAt(service, { ...payer.credentials, account: payer.account })
  const states = await Promise.all(
    approvals.map(async ({ id }) => dataOf<Approval>(await second.get(`/approvals/${id}`))),
  )
  const approved = states.filter(({ state }) => state === 'approved')
  for (const { id, state } of states) {
    if (acknowledged.has(id)) expect([id, state]).toEqual([id, 'approved'])
    else expect(['approved', 'pending']).toContain(state)
  }
  expect(await here.balance()).toBe(approved.length * RINGGIT_EACH)

  // A client without an answer sends its request again; nothing is posted twice.
  for (const approval of approvals) expect((await approve(second, approval)).status).toBe(200)
  expect(await here.balance()).toBe(DEPOSITS * RINGGIT_EACH)
  expect(dataOf(await signedInAdminProof())).toMatchObject({ is_whole: true })
  const { rows } = await database.query<{ count: string }>(
    `select count(*) from audit_log where action = 'deposit.approve'`,
  )
  expect(Number(rows[0]?.count)).toBe(DEPOSITS)
})

async function signedInAdminProof() {
  const admin = await signIn(service, 'operator', await hireOperator(service, 'admin'))
  return admin.get('/audit/proof')
}
