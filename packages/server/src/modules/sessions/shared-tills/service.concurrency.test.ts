import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RequestError } from '../../../lib/errors.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { proven, sessionsOf } from '../../../testing/sessions.ts'
import { createReseller, createUser, updateUser } from '../../accounts/service.ts'
import type { Reseller, User, UserRole } from '../../accounts/types.ts'
import { listRowsAbout } from '../../audit/service.ts'
import { sessionDigestOf } from '../people/rules.ts'
import type { SessionsOptions } from '../people/settings.types.ts'
import { findLiveSession } from '../people/sql.ts'
import type { MemberCaller } from '../people/types.ts'
import { signInByPin } from '../session/pins.service.ts'
import type { SignedIn } from '../session/service.ts'
import { signIn } from '../session/service.ts'
import { WRONG_IN_A_ROW_MAX, WRONG_OF_TILL_MAX } from './rules.ts'
import { closeSharedTill, endPinLocks, findTillOf, openSharedTill, removePin, setPin } from './service.ts'

const PASSWORD = 'a long enough password'
const PIN = '482913'
const WRONG = '739105'

let test: TestDatabase
let options: SessionsOptions

beforeAll(async () => {
  test = await openTestDatabase()
  options = sessionsOf(test)
})
afterAll(() => test.close())

type Person = { readonly user: User; readonly caller: MemberCaller; readonly secret: string }
type Shop = { readonly reseller: Reseller; readonly owner: Person }

async function openShop(): Promise<Shop> {
  const accounts = { database: test.database, vault: test.vault, environment: 'staging' } as const
  const made = { name: 'Kedai Siti', email: 'a@b.example', priceLevel: 'RETAIL' }
  const reseller = await createReseller(accounts, made)
  return { reseller, owner: await hire(reseller, 'admin') }
}

/** Member who is signed in with a fresh proof, and has the PIN. */
async function hire(reseller: Reseller, role: UserRole): Promise<Person> {
  const accounts = { database: test.database, vault: test.vault, environment: 'staging' } as const
  const username = `${role}-${randomBytes(6).toString('hex')}`
  const user = await createUser(accounts, reseller.id, { username, password: PASSWORD, role })
  const { session, secret } = await signIn(options, {
    kind: 'member',
    login: username,
    password: PASSWORD,
    code: undefined,
    previousSecret: undefined,
    deviceSecret: undefined,
    address: newAddress(),
    userAgent: 'test',
  })
  const caller: MemberCaller = {
    kind: 'member',
    userId: user.id,
    username,
    email: user.email,
    role,
    reseller,
    credentialId: `session:${session.id}`,
    address: '192.0.2.1',
  }
  const person = { user, caller: await proven(options, caller, PASSWORD), secret }
  if (role !== 'viewer') await setPin(options, person.caller, PIN)
  return person
}

let address = 0

/** Address that made no attempt before: each has few in a second. */
function newAddress(): string {
  address += 1
  return `198.51.${100 + Math.floor(address / 250)}.${address % 250}`
}

async function openTill({ owner }: Shop, name = 'Kaunter 1'): Promise<{ id: bigint; secret: string }> {
  const { till, secret } = await openSharedTill(options, owner.caller, { name, idle_seconds: 120 })
  return { id: till.id, secret }
}

function guess(till: { secret: string }, { id }: Pick<User, 'id'>, pin: string): Promise<SignedIn> {
  return signInByPin(options, {
    address: newAddress(),
    userAgent: 'test',
    previousSecret: undefined,
    tillSecret: till.secret,
    userId: id,
    pin,
  })
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'in'
  } catch (error) {
    if (error instanceof RequestError) return error.code
    throw error
  }
}

async function isLive(secret: string): Promise<boolean> {
  const wanted = { kind: 'member', idleSeconds: 3_600, refusesDemo: false } as const
  const live = await findLiveSession(test.database, { ...wanted, digest: sessionDigestOf(secret) })
  return live !== undefined
}

describe('guesses at a PIN', () => {
  it('fifty at once spend as many as may be wrong, and the lock is logged once', async () => {
    const shop = await openShop()
    const [till, cashier] = [await openTill(shop), await hire(shop.reseller, 'cashier')]
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => outcomeOf(guess(till, cashier.user, WRONG))),
    )
    expect(outcomes.filter((each) => each === 'invalid_pin')).toHaveLength(WRONG_IN_A_ROW_MAX)
    expect(outcomes.filter((each) => each === 'pin_locked')).toHaveLength(50 - WRONG_IN_A_ROW_MAX)
    expect(await outcomeOf(guess(till, cashier.user, PIN))).toBe('pin_locked')
    const target = { kind: 'user', id: `${shop.reseller.account}/${cashier.user.username}` }
    const rows = await listRowsAbout(test.database, target)
    expect(rows.filter(({ action }) => action === 'pin.lock_out')).toHaveLength(1)
  })

  it('at one till lock nobody out at another, and an owner ends the lock', async () => {
    const shop = await openShop()
    const [till, other] = [await openTill(shop), await openTill(shop, 'Kaunter 2')]
    const cashier = await hire(shop.reseller, 'cashier')
    for (let wrong = 0; wrong < WRONG_IN_A_ROW_MAX; wrong += 1)
      await outcomeOf(guess(till, cashier.user, WRONG))
    expect(await outcomeOf(guess(till, cashier.user, PIN))).toBe('pin_locked')
    expect(await outcomeOf(guess(other, cashier.user, PIN))).toBe('in')
    expect(await outcomeOf(guess(till, shop.owner.user, PIN))).toBe('in')
    await endPinLocks(options, shop.owner.caller, till.id)
    expect(await outcomeOf(guess(till, cashier.user, PIN))).toBe('in')
  })

  it('are few at a till altogether, although right PINs come between them', async () => {
    const shop = await openShop()
    const till = await openTill(shop)
    await test.database.query('update shared_tills set failures = $1, failing_since = now() where id = $2', [
      WRONG_OF_TILL_MAX - 1,
      till.id,
    ])
    expect(await outcomeOf(guess(till, shop.owner.user, PIN))).toBe('in')
    expect(await outcomeOf(guess(till, shop.owner.user, WRONG))).toBe('invalid_pin')
    expect(await outcomeOf(guess(till, shop.owner.user, PIN))).toBe('pin_locked')
    expect((await findTillOf(options, till.secret))?.till.isLocked).toBe(true)
    const target = { kind: 'shared_till', id: `${shop.reseller.account}/${till.id}` }
    const rows = await listRowsAbout(test.database, target)
    expect(rows.map(({ action }) => action)).toContain('shared_till.lock_out')
    // The window is over, and the lock is not: an owner has to look.
    await test.database.query(
      `update shared_tills set failing_since = now() - interval '2 days' where id = $1`,
      [till.id],
    )
    expect(await outcomeOf(guess(till, shop.owner.user, PIN))).toBe('pin_locked')
  })

  it('a right one ends the row of wrong ones', async () => {
    const shop = await openShop()
    const till = await openTill(shop)
    for (const pin of [WRONG, WRONG, PIN, WRONG, WRONG, WRONG, PIN]) {
      expect(await outcomeOf(guess(till, shop.owner.user, pin))).toBe(pin === PIN ? 'in' : 'invalid_pin')
    }
  })
})

describe('a PIN', () => {
  it('opens nothing without the secret of an open till of the same shop', async () => {
    const [shop, foreign] = [await openShop(), await openShop()]
    const till = await openTill(shop)
    expect(await outcomeOf(guess({ secret: 'x' }, shop.owner.user, PIN))).toBe('not_shared_till')
    expect(await outcomeOf(guess(till, foreign.owner.user, PIN))).toBe('invalid_pin')
    const { secret } = await guess(till, shop.owner.user, PIN)
    expect(await isLive(secret)).toBe(true)
    await closeSharedTill(options, shop.owner.caller, till.id)
    expect(await isLive(secret)).toBe(false)
    expect(await outcomeOf(guess(till, shop.owner.user, PIN))).toBe('not_shared_till')
  })

  it('at a till that nobody used for a month opens nothing', async () => {
    const shop = await openShop()
    const till = await openTill(shop)
    await test.database.query(
      `update shared_tills set last_used_at = now() - interval '31 days' where id = $1`,
      [till.id],
    )
    expect(await outcomeOf(guess(till, shop.owner.user, PIN))).toBe('not_shared_till')
  })

  it('opens a session of a cashier, which an earlier release does not find', async () => {
    const shop = await openShop()
    const { secret } = await guess(await openTill(shop), shop.owner.user, PIN)
    const wanted = { kind: 'member', idleSeconds: 3_600, refusesDemo: false } as const
    const live = await findLiveSession(test.database, { ...wanted, digest: sessionDigestOf(secret) })
    expect(live).toMatchObject({ isByPin: true, person: { role: 'cashier', id: shop.owner.user.id } })
    expect(await findLiveSession(test.database, { ...wanted, digest: digestOf(secret) })).toBeUndefined()
  })

  it('ends with the password, the role and itself, and with it the sessions that it opened', async () => {
    const shop = await openShop()
    const till = await openTill(shop)
    const cashier = await hire(shop.reseller, 'cashier')
    const first = await guess(till, cashier.user, PIN)
    await setPin(options, cashier.caller, '604817')
    expect(await isLive(first.secret)).toBe(false)
    expect(await isLive(cashier.secret)).toBe(true)
    const second = await guess(till, cashier.user, '604817')
    await removePin(options, cashier.caller)
    expect(await isLive(second.secret)).toBe(false)
    expect(await outcomeOf(guess(till, cashier.user, '604817'))).toBe('invalid_pin')
    await setPin(options, cashier.caller, PIN)
    const third = await guess(till, cashier.user, PIN)
    const accounts = { database: test.database, vault: test.vault, environment: 'staging' } as const
    await updateUser(accounts, shop.reseller.id, cashier.user.id, { role: 'accountant' })
    expect(await isLive(third.secret)).toBe(false)
    expect(await outcomeOf(guess(till, cashier.user, PIN))).toBe('invalid_pin')
    await updateUser(accounts, shop.reseller.id, cashier.user.id, {
      role: 'cashier',
      password: 'another long password',
    })
    expect(await outcomeOf(guess(till, cashier.user, PIN))).toBe('invalid_pin')
  })

  it('is stored sealed: the table holds no hash that somebody could try PINs against', async () => {
    const shop = await openShop()
    const { rows } = await test.database.query<{ sealed_hash: Buffer }>(
      'select sealed_hash from member_pins where user_id = $1',
      [shop.owner.user.id],
    )
    expect(rows[0]?.sealed_hash.toString('latin1')).not.toContain('argon2')
  })
})
