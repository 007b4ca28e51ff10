import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { proven } from '../../../testing/sessions.ts'
import type { Accounts } from '../../accounts/service.ts'
import { createOperator, updateOperator } from '../../accounts/service.ts'
import { createAuditLog } from '../../audit/service.ts'
import { changePassword } from '../passwords/passwords.service.ts'
import { enrol } from '../second-factor/totp.service.ts'
import { createOperatorAuthenticator } from '../session/authentication.service.ts'
import type { SignedIn } from '../session/service.ts'
import { signIn, sweepSessions } from '../session/service.ts'
import { putDevice } from './devices.sql.ts'
import type { SessionsOptions } from './settings.types.ts'

const PASSWORD = 'a long enough password'

let test: TestDatabase
let accounts: Accounts
let options: SessionsOptions
let addresses = 0

beforeAll(async () => {
  test = await openTestDatabase()
  accounts = { ...test, environment: 'staging' }
  options = {
    ...test,
    audit: createAuditLog(test),
    config: {
      environment: 'staging',
      publicUrl: undefined,
      dashboardUrl: undefined,
      operatorSecondFactor: 'optional',
      issuer: 'Kedai Digital',
    },
    nowMs: Date.now,
    onProblem: () => {},
  }
})
afterAll(() => test.close())

const newAddress = () => `198.51.${(addresses >> 8) & 255}.${addresses++ & 255}`

async function newOperator() {
  const email = `op.${randomBytes(6).toString('hex')}@example.com`
  const { id } = await createOperator(accounts, { email, name: 'Someone', password: PASSWORD, role: 'admin' })
  return { id, email }
}

type Try = { password?: string; address?: string; deviceSecret?: string | undefined }

async function enter(login: string, { password = PASSWORD, address = newAddress(), deviceSecret }: Try = {}) {
  const nothing = { code: undefined, previousSecret: undefined, userAgent: 'test' }
  const tried = { ...nothing, kind: 'operator', login, password, address, deviceSecret } as const
  const signedIn = await signIn(options, tried)
  return { ...signedIn, deviceSecret: signedIn.deviceSecret ?? '' }
}

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'passed',
    (error: { code: string }) => error.code,
  )
}

/** Simulates strangers who have made all guesses that are answered, at unknown places. */
async function fillEverywhere(email: string): Promise<void> {
  await test.database.query(
    `insert into login_failures (username_digest, place)
     select sha256(convert_to('operator:' || $1, 'UTF8')), sha256(convert_to(n::text, 'UTF8'))
       from generate_series(1, 50) n`,
    [email],
  )
}

/** Makes as many wrong guesses as all unknown places together may make, from five networks. */
async function guessEverywhere(login: string): Promise<void> {
  for (let network = 0; network < 5; network += 1) {
    const address = newAddress()
    const guesses = Array.from({ length: 10 }, () => outcomeOf(enter(login, { password: 'wrong', address })))
    expect(new Set(await Promise.all(guesses))).toEqual(new Set(['invalid_credentials']))
  }
}

async function callerOf({ secret }: SignedIn) {
  const request = {
    id: '0',
    method: 'GET',
    rawQuery: '',
    headers: { cookie: `warung_operator=${secret}` },
    body: Buffer.alloc(0),
    address: newAddress(),
    deadlineMs: Number.MAX_SAFE_INTEGER,
  }
  return (await createOperatorAuthenticator(options)()(request)).caller
}

describe('a known device', () => {
  it('signs in while strangers guess, from many networks and from its own, and is known again', async () => {
    const { email } = await newOperator()
    const address = newAddress()
    const { deviceSecret } = await enter(email, { address })
    await guessEverywhere(email)
    expect(await outcomeOf(enter(email))).toBe('too_many_requests')
    expect(await outcomeOf(enter(email, { address }))).toBe('too_many_requests')
    const again = await enter(email, { address, deviceSecret })
    expect(again.deviceSecret).toBe(deviceSecret)
  })

  it('is shut out by ten wrong guesses of its own, which keep no other place out', async () => {
    const { email } = await newOperator()
    const { deviceSecret } = await enter(email)
    for (let guess = 0; guess < 10; guess += 1) {
      expect(await outcomeOf(enter(email, { password: 'wrong', deviceSecret }))).toBe('invalid_credentials')
    }
    expect(await outcomeOf(enter(email, { deviceSecret }))).toBe('too_many_requests')
    const elsewhere = await enter(email)
    expect(elsewhere.deviceSecret).not.toBe(deviceSecret)
  })

  it('many guesses of it sent at once: ten are answered', async () => {
    const { email } = await newOperator()
    const { deviceSecret } = await enter(email)
    const guesses = Array.from({ length: 16 }, () =>
      outcomeOf(enter(email, { password: 'wrong', deviceSecret })),
    )
    const outcomes = await Promise.all(guesses)
    expect(outcomes.filter((each) => each === 'invalid_credentials')).toHaveLength(10)
    expect(outcomes.filter((each) => each === 'too_many_requests')).toHaveLength(6)
  })

  it('is one person’s: it opens no way to guess at another’s name', async () => {
    const [one, other] = [await newOperator(), await newOperator()]
    const { deviceSecret } = await enter(one.email)
    await fillEverywhere(other.email)
    expect(await outcomeOf(enter(other.email, { deviceSecret }))).toBe('too_many_requests')
  })

  it('is never made of a secret that somebody else chose', async () => {
    const { email } = await newOperator()
    expect((await enter(email, { deviceSecret: 'planted' })).deviceSecret).not.toBe('planted')
  })

  it('is forgotten when the password changes, be it by the person or by an administrator', async () => {
    const { id, email } = await newOperator()
    const first = await enter(email)
    const passwords = { currentPassword: PASSWORD, password: 'another long password' }
    const visitor = { address: newAddress(), userAgent: '' }
    const changed = await changePassword(options, await callerOf(first), passwords, visitor)
    await fillEverywhere(email)
    const password = passwords.password
    expect(await outcomeOf(enter(email, { password, deviceSecret: first.deviceSecret }))).toBe(
      'too_many_requests',
    )
    await enter(email, { password, deviceSecret: changed.deviceSecret })
    await updateOperator(accounts, id, { password: PASSWORD })
    expect(await outcomeOf(enter(email, { deviceSecret: changed.deviceSecret }))).toBe('too_many_requests')
  })

  it('is not written down for a password that has changed since it was checked', async () => {
    const { id } = await newOperator()
    const key = { kind: 'operator', resellerId: 0n, id } as const
    const device = { what: 'browser', digest: Buffer.alloc(32, 1) } as const
    const put = (version: Date) => test.database.transaction((tx) => putDevice(tx, key, version, device))
    expect(await put(new Date(0))).toBe(false)
    const { rows } = await test.database.query<{ at: Date }>(
      `select password_changed_at as at from people where kind = 'operator' and id = $1`,
      [id],
    )
    expect(await put(rows[0]?.at ?? new Date(0))).toBe(true)
  })

  it('is kept as a digest, twenty for a person, and for a year after its last use', async () => {
    const { id, email } = await newOperator()
    const secrets: string[] = []
    for (let index = 0; index < 22; index += 1) secrets.push((await enter(email)).deviceSecret)
    const read = () =>
      test.database.query<{ row: string }>(
        'select d::text as row from sign_in_devices d where person_id = $1 and kind = $2',
        [id, 'operator'],
      )
    const { rows } = await read()
    expect(rows).toHaveLength(20)
    for (const secret of secrets) expect(rows.map(({ row }) => row).join('\n')).not.toContain(secret)
    await test.database.query(
      "update sign_in_devices set last_used_at = last_used_at - interval '366 days' where person_id = $1",
      [id],
    )
    await sweepSessions(test.database)
    expect((await read()).rows).toHaveLength(0)
  })
})

describe('a person who is signed in', () => {
  it('proves who they are while strangers guess at their name', async () => {
    const { email } = await newOperator()
    const caller = await callerOf(await enter(email))
    await fillEverywhere(email)
    expect((await enrol(options, await proven(options, caller, PASSWORD))).secret).toBeTruthy()
  })
})

describe('a lockout', () => {
  it('says in the audit log whether it holds at one place or everywhere', async () => {
    const { email } = await newOperator()
    await guessEverywhere(email)
    const { rows } = await test.database.query<{ scope: string }>(
      `select after ->> 'scope' as scope from audit_log where target = $1 and action = 'session.lock_out'
        order by sequence`,
      [email],
    )
    expect(rows.map(({ scope }) => scope)).toEqual(['place', 'place', 'place', 'place', 'everywhere'])
  })
})
