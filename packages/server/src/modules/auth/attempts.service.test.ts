import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import { verifyDummyHash, verifyPassword } from '../../lib/secrets/passwords.ts'
import type { TestUser, TokenNode, TokensBench } from '../../testing/tokens.ts'
import { holdTokenRequests, newAddress, openTokensBench, seedTokenRequests } from '../../testing/tokens.ts'
import { updateUser } from '../accounts/service.ts'
import { digestOfNetwork } from './attempts.rules.ts'
import { admitAttempt, mayAttemptHere } from './attempts.service.ts'
import { failuresDigestOf } from './tokens.rules.ts'
import type { PasswordCheck } from './tokens.service.ts'

let bench: TokensBench
let node: TokenNode
/** Log of the node's argon2 verifications, one letter each: p for a user's hash, n for an unknown user. */
let verifications = ''

const counting: PasswordCheck = {
  verifyPassword(hash, password, asker) {
    verifications += 'p'
    return verifyPassword(hash, password, asker)
  },
  verifyDummyHash(password, asker) {
    verifications += 'n'
    return verifyDummyHash(password, asker)
  },
}

beforeAll(async () => {
  bench = await openTokensBench()
  node = await bench.openNode({ passwords: counting })
})
afterAll(() => bench.close())

const issue = (user: Pick<TestUser, 'username' | 'password'>, address = newAddress()) =>
  node.tokens.issue({ username: user.username, password: user.password, address })

async function refusalOf(work: Promise<unknown>) {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof RequestError)) throw new Error('a refusal was expected', { cause: error })
  return {
    status: error.status,
    code: error.code,
    publicText: error.publicText,
    ...(error.headers && { headers: error.headers }),
  }
}

const INVALID_CREDENTIALS = {
  status: 401,
  code: 'invalid_credentials',
  publicText: 'The user name or password is incorrect.',
}

async function failTimes(
  username: string,
  count: number,
  { address, ago = '0 seconds' }: { address: string; ago?: string },
) {
  await bench.database.query(
    `insert into login_failures (username_digest, failed_at, place)
     select $1, clock_timestamp() - $2::interval, $4 from generate_series(1, $3)`,
    [failuresDigestOf('member', username), ago, count, digestOfNetwork(address)],
  )
}

async function countFailures(username: string): Promise<number> {
  const { rows } = await bench.database.query<{ count: number }>(
    'select count(*)::int as count from login_failures where username_digest = $1',
    [failuresDigestOf('member', username)],
  )
  return rows[0]?.count ?? 0
}

describe('lockout', () => {
  it('ten failures from one address refuse the eleventh attempt there without looking at its password', async () => {
    const user = await bench.newUser()
    const address = newAddress()
    await failTimes(user.username, 9, { address })
    await refusalOf(issue({ ...user, password: 'wrong' }, address))
    verifications = ''
    const refusal = await refusalOf(issue(user, address))
    expect(refusal).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect(Number(refusal.headers?.['Retry-After'])).toBeGreaterThan(14 * 60)
    expect(Number(refusal.headers?.['Retry-After'])).toBeLessThanOrEqual(15 * 60)
    expect(verifications).toBe('')
    expect(await countFailures(user.username)).toBe(10)
  })

  it('failures from elsewhere do not keep a user out', async () => {
    const user = await bench.newUser()
    await failTimes(user.username, 10, { address: newAddress() })
    expect((await issue(user)).idToken).toBeTruthy()
  })

  it('all addresses of an IPv6 /64 share the ten failures', async () => {
    const user = await bench.newUser()
    for (let failure = 0; failure < 10; failure += 1) {
      const address = `2001:db8:0:16:${failure}::1`
      expect(await refusalOf(issue({ ...user, password: 'wrong' }, address))).toEqual(INVALID_CREDENTIALS)
    }
    expect(await refusalOf(issue(user, '2001:db8:0:16:ffff::1'))).toMatchObject({ status: 429 })
    expect((await issue(user, '2001:db8:0:17::1')).idToken).toBeTruthy()
  })

  it('all addresses of an IPv6 /64 share the twenty attempts of a second, at tokens and at sign-ins', async () => {
    const user = await bench.newUser()
    await seedTokenRequests(bench.database, '2001:db8:0:20::/64', 20)
    await holdTokenRequests(bench.database, '2001:db8:0:20::/64')
    expect(await refusalOf(issue(user, '2001:db8:0:20:1::1'))).toMatchObject({ status: 429 })
    await holdTokenRequests(bench.database, '2001:db8:0:20::/64')
    const refusal = await refusalOf(admitAttempt(bench.database, '2001:db8:0:20:2::1'))
    expect(refusal).toMatchObject({ status: 429 })
    await admitAttempt(bench.database, '2001:db8:0:21::1')
  })

  it('refusals of one process wait for a second, 500 at the same time and no more', async () => {
    const { database } = bench
    const address = newAddress()
    let [answered, refused] = [0, 0]
    const attempts = Array.from({ length: 600 }, async () => {
      const isAllowed = await mayAttemptHere(database, address)
      answered += 1
      if (!isAllowed) refused += 1
    })
    await new Promise((resolve) => setImmediate(resolve))
    // Forty have a turn, and sixty find no place to wait.
    expect([answered, refused]).toEqual([100, 60])
    await Promise.all(attempts)
    expect(refused).toBe(560)
  })

  it('fifty failures in an hour from many addresses refuse a name everywhere but where it is known', async () => {
    const user = await bench.newUser()
    const [home, abroad] = [newAddress(), newAddress()]
    await issue(user, home)
    for (let place = 0; place < 9; place += 1) {
      await failTimes(user.username, 5, { address: newAddress(), ago: '59 minutes' })
    }
    await failTimes(user.username, 4, { address: newAddress() })
    expect(await refusalOf(issue({ ...user, password: 'wrong' }, newAddress()))).toEqual(INVALID_CREDENTIALS)

    const refusal = await refusalOf(issue(user, abroad))
    expect(refusal).toMatchObject({ status: 429 })
    expect(Number(refusal.headers?.['Retry-After'])).toBeLessThanOrEqual(60)
    expect((await issue(user, home)).idToken).toBeTruthy()
  })

  it('a network is known no longer when the password has changed, and when it was not used for a month', async () => {
    const user = await bench.newUser()
    const home = newAddress()
    await issue(user, home)
    await failTimes(user.username, 50, { address: newAddress() })
    const age = (days: number) =>
      bench.database.query(
        'update sign_in_devices set last_used_at = clock_timestamp() - make_interval(days => $2) where person_id = $1',
        [user.userId, days],
      )
    await age(31)
    expect(await refusalOf(issue(user, home))).toMatchObject({ status: 429 })
    await age(29)
    await issue(user, home)
    await updateUser(bench.accounts, user.resellerId, user.userId, { password: 'quite another one' })
    await node.directory.refresh()
    expect(await refusalOf(issue({ ...user, password: 'quite another one' }, home))).toMatchObject({
      status: 429,
    })
  })

  it('twenty networks are remembered for a user, the last ones', async () => {
    const user = await bench.newUser()
    for (let network = 0; network < 22; network += 1) await issue(user)
    const { rows } = await bench.database.query(
      `select from sign_in_devices where person_id = $1 and reseller_id = $2 and what = 'network'`,
      [user.userId, user.resellerId],
    )
    expect(rows).toHaveLength(20)
  })

  it('failures at a known network count there, and not for the name elsewhere', async () => {
    const user = await bench.newUser()
    const home = newAddress()
    await issue(user, home)
    await failTimes(user.username, 49, { address: newAddress() })
    for (let failure = 0; failure < 10; failure += 1) {
      await refusalOf(issue({ ...user, password: 'wrong' }, home))
    }
    expect(await refusalOf(issue(user, home))).toMatchObject({ status: 429 })
    expect((await issue(user, newAddress())).idToken).toBeTruthy()
  })

  it('ten failures of a name that nobody has refuse it just the same, in any letter case', async () => {
    const address = newAddress()
    await failTimes('ghost', 10, { address })
    const ghost = { username: 'GHOST', password: 'x' }
    expect(await refusalOf(issue(ghost, address))).toMatchObject({ status: 429 })
    expect(await refusalOf(issue(ghost, newAddress()))).toEqual(INVALID_CREDENTIALS)
    await failTimes('ghost', 39, { address: newAddress() })
    expect(await refusalOf(issue(ghost, newAddress()))).toMatchObject({ status: 429 })
  })

  it('nine failures, or failures of a quarter of an hour ago, refuse nobody', async () => {
    const user = await bench.newUser()
    const address = newAddress()
    await failTimes(user.username, 9, { address })
    await failTimes(user.username, 20, { address, ago: '15 minutes' })
    expect((await issue(user, address)).idToken).toBeTruthy()
  })

  it('failures that an earlier version wrote without a place count for the name over all places', async () => {
    const user = await bench.newUser()
    await bench.database.query(
      'insert into login_failures (username_digest) select $1 from generate_series(1, 50)',
      [failuresDigestOf('member', user.username)],
    )
    expect(await refusalOf(issue(user))).toMatchObject({ status: 429 })
  })

  it('Retry-After says when the tenth last failure leaves the window', async () => {
    const address = newAddress()
    await failTimes('waiting', 5, { address, ago: '14 minutes' })
    await failTimes('waiting', 5, { address, ago: '10 minutes' })
    await failTimes('waiting', 5, { address, ago: '2 minutes' })
    const { headers } = await refusalOf(issue({ username: 'waiting', password: 'x' }, address))
    const seconds = Number(headers?.['Retry-After'])
    expect(seconds).toBeGreaterThan(280)
    expect(seconds).toBeLessThanOrEqual(300)
  })
})
