import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RequestError } from '../../../lib/errors.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createOperator, createReseller, createUser } from '../../accounts/service.ts'
import { audited, createAuditLog } from '../../audit/service.ts'
import { changePassword } from '../passwords/passwords.service.ts'
import { proveByPassword } from '../session/proofs.service.ts'
import { endOtherSessions, signIn } from '../session/service.ts'
import { holdProof, withActProof } from './acts.service.ts'
import type { PersonKind } from './people.types.ts'
import type { SignedInCaller } from './proof.service.ts'
import type { SessionsOptions } from './settings.types.ts'
import type { MemberCaller, OperatorCaller } from './types.ts'

const PASSWORD = 'a long enough password'
/** Each person signs in from an address of their own: an address has few attempts in a second. */
const addressOf = (person: number) => `192.0.2.${person}`
const VISITOR = { address: addressOf(1), userAgent: 'test' }

let test: TestDatabase
let options: SessionsOptions

beforeAll(async () => {
  test = await openTestDatabase()
  const { database, vault } = test
  options = {
    database,
    vault,
    audit: createAuditLog({ database, vault }),
    config: {
      environment: 'staging',
      publicUrl: undefined,
      dashboardUrl: 'https://dashboard.example.com',
      operatorSecondFactor: 'optional',
      issuer: 'Warung',
    },
    nowMs: Date.now,
    onProblem: () => {},
  }
})
afterAll(() => test.close())

let people = 0

async function newSession(kind: PersonKind, login: string): Promise<string> {
  const unknown = { code: undefined, previousSecret: undefined, deviceSecret: undefined }
  const { session } = await signIn(options, {
    ...VISITOR,
    ...unknown,
    address: addressOf(people),
    kind,
    login,
    password: PASSWORD,
  })
  return `session:${session.id}`
}

async function newOperator(): Promise<OperatorCaller> {
  people += 1
  const email = `operator-${people}@example.com`
  const accounts = { ...options, environment: 'staging' } as const
  const { id } = await createOperator(accounts, { email, name: 'Siti', password: PASSWORD, role: 'admin' })
  const credentialId = await newSession('operator', email)
  const own = { operatorId: id, email, name: 'Siti', role: 'admin', credentialId } as const
  return { ...own, kind: 'operator', via: 'session', address: addressOf(people) }
}

async function newMember(): Promise<MemberCaller> {
  people += 1
  const username = `member-${people}@example.com`
  const accounts = { ...options, environment: 'staging' } as const
  const input = { name: 'Kedai', email: username, priceLevel: 'RETAIL' }
  const { id, account, name } = await createReseller(accounts, input)
  const user = await createUser(accounts, id, { username, password: PASSWORD, role: 'admin' })
  const credentialId = await newSession('member', username)
  const own = { userId: user.id, username, email: username, role: 'admin', credentialId } as const
  return { ...own, kind: 'member', reseller: { id, account, name }, address: addressOf(people) }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof RequestError) return `${error.status} ${error.code}`
    throw error
  }
  return 'not refused'
}

/** Passes the gate, and returns the caller who may act. */
function pass<C extends SignedInCaller>(caller: C, password?: string): Promise<C> {
  return withActProof(options, caller, { password, isRequired: true })
}

/** Commits an act, as all writes do that are logged. */
function act(caller: SignedInCaller): Promise<unknown> {
  const done = { target: { kind: 'test', id: '1' }, before: null, after: null, result: undefined }
  return audited(options.audit, { caller, action: 'test.act', reason: 'a test' }, async () => done)
}

async function age(caller: SignedInCaller, interval: string): Promise<void> {
  await test.database.query('update sessions set proven_at = proven_at - $2::interval where id = $1', [
    caller.credentialId.replace('session:', ''),
    interval,
  ])
}

describe.each([
  ['an operator', newOperator],
  ['a member', newMember],
] as const)('an act of %s that widens access', (_, newPerson) => {
  it('is refused in a session that gave no proof, however fresh the sign-in is', async () => {
    expect(await refusal(pass(await newPerson()))).toBe('403 proof_required')
  })

  it('is done with the password, which gives the next act nothing', async () => {
    const caller = await newPerson()
    await act(await pass(caller, PASSWORD))
    expect(await refusal(pass(caller))).toBe('403 proof_required')
  })

  it('is refused with a wrong password, also where the session gave a proof, and guesses are counted', async () => {
    const caller = await newPerson()
    await proveByPassword(options, caller, PASSWORD)
    for (let guess = 0; guess < 10; guess += 1) {
      const from = { ...caller, address: `198.51.100.${guess}` }
      expect(await refusal(pass(from, 'a wrong password'))).toBe('403 wrong_password')
    }
    const from = { ...caller, address: '198.51.100.99' }
    expect(await refusal(pass(from, PASSWORD))).toBe('429 too_many_requests')
  })

  it('is done as often as wanted within 5 minutes after the session’s proof, and not later', async () => {
    const caller = await newPerson()
    await proveByPassword(options, caller, PASSWORD)
    await act(await pass(caller))
    await age(caller, '4 minutes 30 seconds')
    await act(await pass(caller))
    await age(caller, '30 seconds')
    expect(await refusal(pass(caller))).toBe('403 proof_required')
  })

  it('a wrong password gives the session no proof', async () => {
    const caller = await newPerson()
    expect(await refusal(proveByPassword(options, caller, 'a wrong password'))).toBe('403 wrong_password')
    expect(await refusal(pass(caller))).toBe('403 proof_required')
  })

  it('is refused when the proof is another session’s of the same person', async () => {
    const caller = await newPerson()
    const login = caller.kind === 'operator' ? caller.email : caller.username
    const other = { ...caller, credentialId: await newSession(caller.kind, login) }
    await proveByPassword(options, other, PASSWORD)
    expect(await refusal(pass(caller))).toBe('403 proof_required')
    await act(await pass(other))
  })

  it('is undone when the proof became too old between the request and its commit', async () => {
    const caller = await newPerson()
    await proveByPassword(options, caller, PASSWORD)
    const admitted = await pass(caller)
    await age(caller, '5 minutes')
    expect(await refusal(act(admitted))).toBe('403 proof_required')
  })

  it('is undone when the session ended between the request and its commit', async () => {
    const caller = await newPerson()
    const admitted = await pass(caller, PASSWORD)
    await endOtherSessions(options, caller, 0n)
    expect(await refusal(act(admitted))).toBe('401 invalid_session')
  })

  it('finds no proof after a change of the password, neither in the old session nor in the new one', async () => {
    const caller = await newPerson()
    await proveByPassword(options, caller, PASSWORD)
    const admitted = await pass(caller)
    const passwords = { currentPassword: PASSWORD, password: 'another long password' }
    const { session } = await changePassword(options, caller, passwords, VISITOR)
    expect(await refusal(act(admitted))).toBe('401 invalid_session')
    const next = { ...caller, credentialId: `session:${session.id}` }
    expect(await refusal(pass(next))).toBe('403 proof_required')
  })

  it('an act that only may widen access asks for the proof in its commit', async () => {
    const caller = await newPerson()
    const hold = (admitted: SignedInCaller) => test.database.transaction((tx) => holdProof(tx, admitted))
    const admitted = await withActProof(options, caller, { password: undefined, isRequired: false })
    await act(admitted)
    expect(await refusal(hold(admitted))).toBe('403 proof_required')
    await proveByPassword(options, caller, PASSWORD)
    expect(await refusal(hold(admitted))).toBe('not refused')
  })
})

it('a token does no act that widens access, also with the right password', async () => {
  const token = { ...(await newOperator()), via: 'token', credentialId: 'token:1' } as const
  expect(await refusal(pass(token))).toBe('403 proof_required')
  expect(await refusal(pass(token, PASSWORD))).toBe('403 proof_required')
})
