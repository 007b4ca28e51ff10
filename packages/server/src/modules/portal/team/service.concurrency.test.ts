import { expect, it } from 'vitest'
import { openTestDatabase } from '../../../testing/database.ts'
import { untilWaiting } from '../../../testing/payments/payments.ts'
import type { Accounts } from '../../accounts/service.ts'
import { createReseller, createUser, listUsers } from '../../accounts/service.ts'
import type { User } from '../../accounts/types.ts'
import { createAuditLog } from '../../audit/service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { changeMember } from './service.ts'

it('two admins who take each other’s rights away at once: one keeps them', async () => {
  const test = await openTestDatabase()
  try {
    const accounts: Accounts = { database: test.database, vault: test.vault, environment: 'staging' }
    const settings = { ...accounts, sessions: { audit: createAuditLog(test) } }
    const fields = { name: 'Kedai', email: 'kedai@example.com', priceLevel: 'STANDARD' }
    const reseller = await createReseller(accounts, fields)
    const newAdmin = (username: string) =>
      createUser(accounts, reseller.id, { username, password: `right ${username}`, role: 'admin' })
    const [one, two] = [await newAdmin('admin-one'), await newAdmin('admin-two')]
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
    // Both changes were admitted, and wait for a transaction that changes another account.
    const both = await test.openAnother().transaction(async (tx) => {
      await tx.query('update directory_version set version = version + 1')
      const changes = Promise.allSettled([
        changeMember(settings, callerOf(one), String(two.id), { role: 'viewer' }),
        changeMember(settings, callerOf(two), String(one.id), { status: 'disabled' }),
      ])
      await untilWaiting(test.database, 'directory_version', 2)
      return { changes }
    })
    const outcomes = await both.changes
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 403, code: 'insufficient_role' },
    })
    const left = await listUsers(test.database, reseller.id)
    expect(left.filter(({ role, status }) => role === 'admin' && status === 'active')).toHaveLength(1)
  } finally {
    await test.close()
  }
})
