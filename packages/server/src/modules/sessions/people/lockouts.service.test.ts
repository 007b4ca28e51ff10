import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { Accounts } from '../../accounts/service.ts'
import { createOperator, createReseller, createUser } from '../../accounts/service.ts'
import { createAuditLog } from '../../audit/service.ts'
import type { SignIn } from '../session/service.ts'
import { signIn } from '../session/service.ts'
import { noteLockout } from './lockouts.service.ts'
import type { SessionsOptions } from './settings.types.ts'

const PASSWORD = 'a long enough password'
// Each test guesses from a network of its own: one network may sign in only so often in a second.
let guesser = ''
let guessers = 0
beforeEach(() => {
  guessers += 1
  guesser = `198.51.100.${guessers}`
})
const problems: string[] = []

let test: TestDatabase
let accounts: Accounts
let staging: SessionsOptions

beforeAll(async () => {
  test = await openTestDatabase()
  accounts = { ...test, environment: 'staging' }
  staging = {
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
    onProblem: (text) => void problems.push(text),
  }
})
afterAll(() => test.close())

async function newOperator(name: string): Promise<string> {
  const email = `${name}@example.com`
  await createOperator(accounts, { email, name, password: PASSWORD, role: 'admin' })
  return email
}

function attempt(kind: SignIn['kind'], login: string, address: string): SignIn {
  const nothing = { code: undefined, previousSecret: undefined, deviceSecret: undefined, userAgent: 'test' }
  return { ...nothing, kind, login, password: PASSWORD, address }
}

/** Returns 'passed', or the code of the refusal. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'passed',
    (error: { code: string }) => error.code,
  )
}

async function actionsAbout(target: string): Promise<string[]> {
  const { rows } = await test.database.query<{ action: string }>(
    'select action from audit_log where target = $1 order by sequence',
    [target],
  )
  return rows.map(({ action }) => action)
}

describe('the failure that shuts a name out', () => {
  async function failTimes(options: SessionsOptions, kind: SignIn['kind'], login: string): Promise<void> {
    for (let guess = 0; guess < 10; guess += 1) {
      const wrong = { ...attempt(kind, login, guesser), password: 'a wrong one' }
      expect(await outcomeOf(signIn(options, wrong))).toBe('invalid_credentials')
    }
  }

  it('counts even when it cannot be written down', async () => {
    const email = await newOperator('unwritten')
    const key = () => Promise.reject(new Error('no key'))
    problems.length = 0
    await failTimes({ ...staging, audit: { ...staging.audit, key } }, 'operator', email)
    expect(problems).toEqual(['a name was shut out, but the audit log could not be written'])
    expect(await outcomeOf(signIn(staging, attempt('operator', email, guesser)))).toBe('too_many_requests')
  })

  it('a member’s failure is written down under the account’s name, and shuts out no operator of the same name', async () => {
    const email = await newOperator('same-name')
    const shop = { name: 'Kedai', email, priceLevel: 'RETAIL' }
    const { id, account } = await createReseller(accounts, shop)
    await createUser(accounts, id, { username: email, password: PASSWORD, role: 'admin' })
    await failTimes(staging, 'member', email)
    expect(await actionsAbout(`${account}/${email}`)).toEqual(['session.lock_out'])
    await signIn(staging, attempt('operator', email, guesser))
  })

  it('is not written down about somebody whose name with spaces around it was tried', async () => {
    const email = await newOperator('spaced')
    const note = (login: string) =>
      test.database.transaction((tx) =>
        noteLockout(staging, tx, { kind: 'operator', login, address: '192.0.2.1', scope: 'place' }),
      )
    await note(` ${email} `)
    expect(await actionsAbout(email)).toEqual([])
    await note(email.toUpperCase())
    expect(await actionsAbout(email)).toEqual(['session.lock_out'])
  })
})
