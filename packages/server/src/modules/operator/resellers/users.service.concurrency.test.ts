import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { contextOf } from '../../../testing/grants.ts'
import { newName, newOperator, newReseller, newUser } from '../../../testing/people.ts'
import { getUserByName } from '../../accounts/service.ts'
import type { Reseller } from '../../accounts/types.ts'
import { listMails } from '../../alerts/mail/mail.service.ts'
import { openMail } from '../../alerts/mail/outbox.service.ts'
import type { Approval } from '../../approvals/types.ts'
import { stopGrant } from '../../grants/service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { deposit } from '../../wallet/balance/service.ts'
import type { AccountsContext } from './resellers.service.ts'
import { addUser } from './users.service.ts'

let test: TestDatabase
let context: AccountsContext
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
      const stop = () => stopGrant(context, { token, address: '192.0.2.9' })
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
      expect(await stopGrant(context, { token, address: '192.0.2.9' })).toBe(
        state === 'refused' ? 'refused' : 'undone',
      )
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
