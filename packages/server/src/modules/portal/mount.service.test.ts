import { describe, expect, it } from 'vitest'
import { sampleReseller } from '../../testing/accounts.ts'
import type { Scope } from '../accounts/types.ts'
import type { MemberAuthenticator, MemberCaller } from '../sessions/people/types.ts'
import { memberAsCaller } from './mount.service.ts'

const HOME = '192.0.2.1'

const MEMBER: MemberCaller = {
  kind: 'member',
  userId: 7n,
  username: 'kedai',
  email: 'kedai@example.com',
  role: 'admin',
  reseller: { id: 1n, account: '1000001', name: 'Kedai' },
  credentialId: '9',
  address: HOME,
}

const RESELLER = sampleReseller({ account: '1000001', allowsAddress: (address: string) => address === HOME })

const authenticate: MemberAuthenticator = () => async () => ({ caller: MEMBER, query: {} })

function call(scope: Scope, { address = HOME, ageMs = 0 } = {}) {
  const directory = { findReseller: () => RESELLER, ageMs: () => ageMs, refresh: async () => {} }
  const request = { id: '', method: 'POST', rawQuery: '', headers: {}, body: Buffer.alloc(0), deadlineMs: 0 }
  return memberAsCaller({ authenticate, directory }, 'self')(scope)({ ...request, address })
}

describe('a member as a caller of the reseller API', () => {
  it('is that account, with the rights of the role', async () => {
    const { caller } = await call('pay')
    expect(caller).toMatchObject({ reseller: { account: '1000001' }, kind: 'user', memberId: '7' })
  })

  it('is told to come back while the node may have missed a change of the account', async () => {
    await expect(call('read', { ageMs: 60_000 })).rejects.toMatchObject({
      status: 503,
      code: 'directory_stale',
    })
  })

  it("pays from the account's allowed addresses alone, and looks from everywhere", async () => {
    const address = '198.51.100.1'
    await expect(call('pay', { address })).rejects.toMatchObject({ status: 403, code: 'ip_not_allowed' })
    for (const scope of ['read', 'support'] as const) {
      await expect(call(scope, { address })).resolves.toBeDefined()
    }
  })
})
