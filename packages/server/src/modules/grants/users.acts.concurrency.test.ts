import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { GrantsBench } from '../../testing/grants.ts'
import { addUser, contextOf } from '../../testing/grants.ts'
import { untilWaiting as untilWaitingFor } from '../../testing/payments/payments.ts'
import { newName, newOperator, newReseller, newUser } from '../../testing/people.ts'
import { newAddress } from '../../testing/tokens.ts'
import { getUserByName, listUsers } from '../accounts/service.ts'
import type { Reseller, User } from '../accounts/types.ts'
import { performAlone } from '../acts/service.ts'
import { listMails } from '../alerts/mail/mail.service.ts'
import { openMail } from '../alerts/mail/outbox.service.ts'
import type { Approval } from '../approvals/types.ts'
import type { MemberCaller, OperatorCaller } from '../sessions/people/types.ts'
import { deposit } from '../wallet/balance/service.ts'
import { stopGrant } from './stops.service.ts'
import { editUser } from './users.acts.ts'

let test: TestDatabase
let context: GrantsBench
let asker: OperatorCaller
let second: OperatorCaller

beforeAll(async () => {
  test = await openTestDatabase()
  context = contextOf(test)
  ;[asker, second] = [await newOperator(context), await newOperator(context, 'finance')]
})
afterAll(() => test.close())

async function ask({ account }: Reseller): Promise<{ username: string; approval: Approval }> {
  const username = newName('login')
  const input = { username, email: `${username}@example.com`, role: 'admin' } as const
  const granted = await addUser(context, asker, account, input, 'asked for by mail')
  if (!('asked' in granted)) throw new Error('one operator alone made a login')
  return { username, approval: granted.asked }
}

async function linkOf(reseller: Reseller): Promise<string> {
  const mails = await listMails(context.database, { limit: 50, status: undefined })
  const mail = mails.find(({ kind, recipient }) => kind === 'access' && recipient === reseller.email)
  if (mail === undefined) throw new Error('there is no mail')
  const { body } = await openMail(test.vault, mail)
  const token = /Token: (wst_\S+)/.exec(body)?.[1]
  if (token === undefined) throw new Error('the mail has no link')
  return token
}

describe('a request for a login that is approved and stopped at the same moment', () => {
  it('ends without a login that works: it is refused, or made and disabled', async () => {
    const ends = new Set<string>()
    for (let round = 0; round < 12; round += 1) {
      const reseller = await newReseller(context)
      await newUser(context, reseller)
      const { username, approval } = await ask(reseller)
      const token = await linkOf(reseller)
      const approve = () => context.approvals.approve(second, approval.id, 'looked at it')
      // Attempts of one address are counted by the second: each round comes from its own.
      const address = newAddress()
      const stop = () => stopGrant(context, { token, address })
      const both = round % 2 === 0 ? [approve(), stop()] : [stop(), approve()]
      const outcomes = await Promise.allSettled(both)
      const { state } = await context.approvals.get(approval.id)
      const user = await getUserByName(context.database, reseller.id, username).catch(() => undefined)
      const end = `${state}, ${user?.status ?? 'no login'}`
      expect(['refused, no login', 'approved, disabled']).toContain(end)
      ends.add(end)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') {
          expect([state, outcome.reason]).toMatchObject(['refused', { status: 409, code: 'already_decided' }])
        }
      }
      expect(await stopGrant(context, { token, address })).toBe(state === 'refused' ? 'refused' : 'undone')
    }
    expect(ends.size).toBeGreaterThan(0)
  })
})

/** Waits until the work is done, or a statement of this database waits for a lock. */
async function untilWaiting(work: Promise<unknown>): Promise<void> {
  let isDone = false
  void work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const { rows } = await test.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length > 0) return
  }
}

describe('a login that one operator makes while the first money arrives', () => {
  it('waits for the money, and then for a second person', async () => {
    const reseller = await newReseller(context)
    const input = { username: newName('login'), role: 'admin' } as const
    const made = await test.database.transaction(async (tx) => {
      const posting = { resellerId: reseller.id, amount: 1n, remarks: 'Bank transfer', reference: 'slip' }
      await deposit(tx, posting)
      const making = addUser(context, asker, reseller.account, input, 'first user')
      await untilWaiting(making)
      return { making }
    })
    expect(await made.making).toHaveProperty('asked')
  })
})

it('two admins who take each other’s rights away at once: one keeps them', async () => {
  const reseller = await newReseller(context)
  const [one, two] = [await newUser(context, reseller), await newUser(context, reseller)]
  const callerOf = (user: User): MemberCaller => ({
    kind: 'member',
    userId: user.id,
    username: user.username,
    email: user.email,
    role: 'admin',
    reseller,
    credentialId: 'session:1',
    address: '::1',
  })
  const change = (by: User, { id }: User, changes: object) => {
    const input = { account: reseller.account, id: String(id), ...changes }
    const stage = { log: context.log, world: { sessions: context.sessions } }
    return performAlone(stage, editUser, { caller: callerOf(by), input, reason: 'in the portal' })
  }
  // Both changes were admitted, and wait for a transaction that changes another account.
  const both = await test.openAnother().transaction(async (tx) => {
    await tx.query('update directory_version set version = version + 1')
    const changes = Promise.allSettled([
      change(one, two, { role: 'viewer' }),
      change(two, one, { status: 'disabled' }),
    ])
    await untilWaitingFor(test.database, 'directory_version', 2)
    return { changes }
  })
  const outcomes = await both.changes
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 403, code: 'insufficient_role' },
  })
  const left = await listUsers(test.database, reseller.id)
  expect(left.filter(({ role, status }) => role === 'admin' && status === 'active')).toHaveLength(1)
})
