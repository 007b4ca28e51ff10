import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import { MACHINE } from '../../lib/secrets/hash-turns.ts'
import { verifyPassword } from '../../lib/secrets/passwords.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { listBalances } from '../wallet/balance/sql.ts'
import { findReseller, vouchForOperator } from './public.sql.ts'
import type { Accounts } from './service.ts'
import {
  createOperator,
  createReseller,
  createUser,
  findLogin,
  getOperatorByEmail,
  getReseller,
  getUserByName,
  listOperators,
  listResellers,
  listUsers,
  updateOperator,
  updateReseller,
  updateUser,
  within,
} from './service.ts'
import type { Reseller, UserRole } from './types.ts'

let test: TestDatabase
let accounts: Accounts

beforeAll(async () => {
  test = await openTestDatabase()
  accounts = { database: test.database, vault: test.vault, environment: 'staging' }
})

afterAll(() => test.close())

const password = 'a long enough password'

function makeReseller(extra: Partial<Parameters<typeof createReseller>[1]> = {}): Promise<Reseller> {
  return createReseller(accounts, {
    name: 'Kedai Ujian',
    email: 'ujian@example.com',
    priceLevel: 'STANDARD',
    ...extra,
  })
}

async function refusalOf(work: Promise<unknown>): Promise<RequestError> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(RequestError)
  return error as RequestError
}

async function versionOf(): Promise<bigint> {
  const { rows } = await test.database.query<{ version: bigint }>('select version from directory_version')
  return rows[0]?.version ?? -1n
}

describe('resellers', () => {
  it('get a free account number of seven digits and an empty wallet', async () => {
    const reseller = await makeReseller()
    expect(reseller.account).toMatch(/^[1-9][0-9]{6}$/)
    expect(reseller).toMatchObject({ access: 0, status: 'active', topupRequiresApiKey: false, demo: false })
    expect(await listBalances(test.database, [reseller.id])).toEqual(new Map([[reseller.id, 0n]]))
  })

  it('keep the account number that was asked for, and no two have the same', async () => {
    const reseller = await makeReseller({ account: '4711', access: 50 })
    expect(reseller).toMatchObject({ account: '4711', access: 50 })
    const refusal = await refusalOf(makeReseller({ account: '4711' }))
    expect(refusal).toMatchObject({ status: 409, code: 'taken', fields: { account: [expect.any(String)] } })
  })

  it('resellers with bad values are refused with every problem at once, and nothing is written', async () => {
    const before = await versionOf()
    const refusal = await refusalOf(
      makeReseller({ account: '12a', name: ' ', email: 'nobody', priceLevel: 'low price', access: 7 }),
    )
    expect(refusal).toMatchObject({ status: 400, code: 'validation_failed' })
    expect(Object.keys(refusal.fields ?? {}).sort()).toEqual([
      'access',
      'account',
      'email',
      'name',
      'price_level',
    ])
    expect(await versionOf()).toBe(before)
  })

  it('are found by account, and an unknown one is not found', async () => {
    const reseller = await makeReseller()
    expect(await findReseller(test.database, reseller.account)).toEqual(reseller)
    expect(await findReseller(test.database, '99999999')).toBeUndefined()
    expect(await refusalOf(getReseller(test.database, '99999999'))).toMatchObject({
      status: 404,
      code: 'not_found',
    })
    expect(await refusalOf(updateReseller(accounts, 999_999n, { name: 'X' }))).toMatchObject({ status: 404 })
  })

  it('change only in the fields that are given', async () => {
    const reseller = await makeReseller()
    const suspended = await updateReseller(accounts, reseller.id, { status: 'suspended' })
    expect(suspended).toEqual({ ...reseller, status: 'suspended', updatedAt: expect.any(Date) })
    const changed = await updateReseller(accounts, reseller.id, {
      name: 'Lain',
      priceLevel: 'GOLD_2',
      access: 50,
      topupRequiresApiKey: true,
    })
    expect(changed).toEqual({
      ...suspended,
      name: 'Lain',
      priceLevel: 'GOLD_2',
      access: 50,
      topupRequiresApiKey: true,
      updatedAt: expect.any(Date),
    })
    expect(await getReseller(test.database, reseller.account)).toEqual(changed)
  })

  it('are listed page by page, each once', async () => {
    await Promise.all([makeReseller(), makeReseller(), makeReseller()])
    const all = await listResellers(test.database, { limit: 1_000 })
    const paged: Reseller[] = []
    for (;;) {
      const page = await listResellers(test.database, { limit: 2, after: paged.at(-1)?.id })
      if (page.length === 0) break
      paged.push(...page)
    }
    expect(paged).toEqual(all)
    expect(await refusalOf(listResellers(test.database, { limit: 0 }))).toMatchObject({ status: 400 })
    expect(await refusalOf(listResellers(test.database, { limit: 1_001 }))).toMatchObject({ status: 400 })
  })

  it('take a new directory version with every change', async () => {
    const { id } = await makeReseller()
    const before = await versionOf()
    await updateReseller(accounts, id, { name: 'Baru' })
    expect(await versionOf()).toBe(before + 1n)
    const { rows } = await test.database.query<{ version: bigint }>(
      'select version from resellers where id = $1',
      [id],
    )
    expect(rows[0]?.version).toBe(before + 1n)
  })

  it('made inside a transaction that fails were never there', async () => {
    const account = '55550001'
    const attempt = test.database.transaction(async (tx) => {
      await createReseller(within(tx, accounts), {
        account,
        name: 'X',
        email: 'x@example.com',
        priceLevel: 'A',
      })
      throw new Error('changed my mind')
    })
    await expect(attempt).rejects.toThrow('changed my mind')
    expect(await findReseller(test.database, account)).toBeUndefined()
  })
})

describe('users', () => {
  it('have a name in lower case and a password that only its hash remembers', async () => {
    const reseller = await makeReseller()
    const user = await createUser(accounts, reseller.id, {
      username: 'Siti.Admin+1@Example',
      password,
      role: 'admin',
    })
    expect(user).toMatchObject({ username: 'siti.admin+1@example', email: reseller.email, role: 'admin' })
    const login = await findLogin(test.database, 'SITI.admin+1@example')
    expect(login).toMatchObject({ userId: user.id, resellerId: reseller.id, status: 'active' })
    expect(login?.passwordHash).not.toContain(password)
    expect(await verifyPassword(login?.passwordHash ?? '', password, MACHINE)).toBe(true)
  })

  it('never share a name, not even across resellers', async () => {
    const [one, other] = await Promise.all([makeReseller(), makeReseller()])
    const input = { username: 'shared.name', password, role: 'viewer' as const }
    await createUser(accounts, one.id, input)
    for (const { id } of [one, other]) {
      expect(await refusalOf(createUser(accounts, id, { ...input, username: 'SHARED.name' }))).toMatchObject({
        status: 409,
        code: 'taken',
      })
    }
  })

  it('users with bad values are refused with every problem at once', async () => {
    const { id } = await makeReseller()
    const refusal = await refusalOf(
      createUser(accounts, id, {
        username: 'no spaces',
        password: 'short',
        role: 'owner' as UserRole,
        email: 'a b',
      }),
    )
    expect(Object.keys(refusal.fields ?? {}).sort()).toEqual(['email', 'password', 'role', 'username'])
  })

  it('change password, role and state; a new password leaves its time', async () => {
    const { id } = await makeReseller()
    const user = await createUser(accounts, id, { username: 'changing.user', password, role: 'viewer' })
    const before = await findLogin(test.database, 'changing.user')
    expect(await updateUser(accounts, id, user.id, { role: 'admin' })).toMatchObject({ role: 'admin' })
    expect(await updateUser(accounts, id, user.id, { status: 'disabled' })).toMatchObject({
      role: 'admin',
      status: 'disabled',
    })
    expect(await findLogin(test.database, 'changing.user')).toEqual({ ...before, status: 'disabled' })
    await updateUser(accounts, id, user.id, { password: 'another password' })
    const after = await findLogin(test.database, 'changing.user')
    expect(await verifyPassword(after?.passwordHash ?? '', 'another password', MACHINE)).toBe(true)
    expect(after?.passwordChangedAt.getTime()).toBeGreaterThan(before?.passwordChangedAt.getTime() ?? 0)
    expect(await listUsers(test.database, id)).toEqual([
      await getUserByName(test.database, id, 'Changing.User'),
    ])
  })

  it('users of one reseller are out of reach for another', async () => {
    const [one, other] = await Promise.all([makeReseller(), makeReseller()])
    const user = await createUser(accounts, one.id, { username: 'only.mine', password, role: 'viewer' })
    expect(await refusalOf(updateUser(accounts, other.id, user.id, { role: 'admin' }))).toMatchObject({
      status: 404,
    })
    expect(await refusalOf(getUserByName(test.database, other.id, 'only.mine'))).toMatchObject({
      status: 404,
    })
    expect(await listUsers(test.database, other.id)).toEqual([])
    expect(await listUsers(test.database, one.id)).toEqual([user])
  })

  it('users with a name nobody can have are unknown without asking the database', async () => {
    expect(await findLogin(test.database, 'nul\u0000byte')).toBeUndefined()
    expect(await findLogin(test.database, '')).toBeUndefined()
  })
})

describe('operators', () => {
  it('are known by their e-mail address in lower case, which no two share', async () => {
    const input = { email: 'Boss@Example.com', name: 'Boss', password, role: 'admin' as const }
    const operator = await createOperator(accounts, input)
    expect(operator).toMatchObject({ email: 'boss@example.com', status: 'active', demo: false })
    expect(await refusalOf(createOperator(accounts, input))).toMatchObject({ status: 409, code: 'taken' })
    expect(await getOperatorByEmail(test.database, 'BOSS@example.com')).toEqual(operator)
    expect(await listOperators(test.database)).toContainEqual(operator)
  })

  it('operators who are disabled are not let in when somebody vouches for them', async () => {
    const input = { email: 'kept-out@example.com', name: 'Out', password, role: 'support' as const }
    const { id } = await createOperator(accounts, input)
    const vouch = () => test.database.transaction((tx) => vouchForOperator(tx, id))
    await updateOperator(accounts, id, { status: 'disabled' })
    expect(await vouch()).toBeUndefined()
    expect(await getOperatorByEmail(test.database, input.email)).toMatchObject({ status: 'disabled' })
    await updateOperator(accounts, id, { status: 'active' })
    expect(await vouch()).toMatchObject({ status: 'active', role: 'support', empoweredBy: null })
  })

  it('change role, state and password', async () => {
    const { id } = await createOperator(accounts, {
      email: 'clerk@example.com',
      name: 'Clerk',
      password,
      role: 'support',
    })
    expect(await updateOperator(accounts, id, { role: 'finance', status: 'disabled' })).toMatchObject({
      role: 'finance',
      status: 'disabled',
    })
    expect(await refusalOf(updateOperator(accounts, id, { password: 'short' }))).toMatchObject({
      status: 400,
    })
    expect(await refusalOf(updateOperator(accounts, 999_999n, { role: 'admin' }))).toMatchObject({
      status: 404,
    })
    await updateOperator(accounts, id, { password: 'another password' })
    const { rows } = await test.database.query<{ password_hash: string }>(
      'select password_hash from operators where id = $1',
      [id],
    )
    expect(await verifyPassword(rows[0]?.password_hash ?? '', 'another password', MACHINE)).toBe(true)
  })
})
