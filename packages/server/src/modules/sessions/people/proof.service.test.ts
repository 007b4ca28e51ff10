import { createHash, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RequestError } from '../../../lib/errors.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { proven } from '../../../testing/sessions.ts'
import type { Accounts } from '../../accounts/service.ts'
import {
  createOperator,
  createReseller,
  createUser,
  updateOperator,
  updateUser,
  within,
} from '../../accounts/service.ts'
import { createAuditLog } from '../../audit/service.ts'
import { changePassword } from '../passwords/passwords.service.ts'
import { beginPasskey, createPasskey, listOwnPasskeys } from '../second-factor/passkeys.service.ts'
import { codeAt, stepAt } from '../second-factor/totp.rules.ts'
import { confirmEnrolment, enrol } from '../second-factor/totp.service.ts'
import { endOtherSessions, signIn } from '../session/service.ts'
import { createOperatorToken } from '../tokens/tokens.service.ts'
import type { PersonKind } from './people.types.ts'
import type { SignedInCaller } from './proof.service.ts'
import { confirmPassword, holdSession } from './proof.service.ts'
import type { SessionsOptions } from './settings.types.ts'
import type { MemberCaller, OperatorCaller } from './types.ts'

const PASSWORD = 'a long enough password'
const NEXT_PASSWORD = 'another long password'
/** Each person signs in from an address of their own: an address has few attempts in a second. */
const addressOf = (person: number) => `192.0.2.${person}`
const VISITOR = { address: addressOf(1), userAgent: 'test' }
const SCRIPT = { label: 'script', role: 'admin', expiresInDays: 1 }

let test: TestDatabase
let accounts: Accounts
let options: SessionsOptions

beforeAll(async () => {
  test = await openTestDatabase()
  const { database, vault } = test
  accounts = { database, vault, environment: 'staging' }
  options = {
    database,
    vault,
    audit: createAuditLog({ database, vault }),
    config: {
      environment: 'staging',
      publicUrl: undefined,
      dashboardUrl: 'https://dashboard.example.com',
      operatorSecondFactor: 'optional',
      issuer: 'Kedai Digital',
    },
    nowMs: Date.now,
    onProblem: () => {},
  }
})
afterAll(() => test.close())

let people = 0

async function newOperator(): Promise<OperatorCaller> {
  people += 1
  const email = `operator-${people}@example.com`
  const { id } = await createOperator(accounts, { email, name: 'Siti', password: PASSWORD, role: 'admin' })
  const credentialId = await newSession('operator', email)
  const own = { operatorId: id, email, name: 'Siti', role: 'admin', credentialId } as const
  return { ...own, kind: 'operator', via: 'session', address: addressOf(people) }
}

async function newMember(): Promise<MemberCaller> {
  people += 1
  const username = `member-${people}@example.com`
  const input = { name: 'Kedai', email: username, priceLevel: 'RETAIL' }
  const { id, account, name } = await createReseller(accounts, input)
  const user = await createUser(accounts, id, { username, password: PASSWORD, role: 'admin' })
  const credentialId = await newSession('member', username)
  const own = { userId: user.id, username, email: username, role: 'admin', credentialId } as const
  return { ...own, kind: 'member', reseller: { id, account, name }, address: addressOf(people) }
}

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

function provenBy<C extends SignedInCaller>(caller: C): Promise<C> {
  return proven(options, caller, PASSWORD)
}

async function refusal(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
  } catch (error) {
    if (error instanceof RequestError) return error.code
    throw error
  }
  return 'not refused'
}

async function isSomebodyWaiting(): Promise<boolean> {
  const { rows } = await test.database.query<{ waiting: number }>(
    `select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return (rows[0]?.waiting ?? 0) > 0
}

type Changes = Parameters<typeof updateOperator>[2] & Parameters<typeof updateUser>[3]

/** Begins `work` while a change of the person is not committed yet, and returns how `work` ended. */
async function during(
  caller: SignedInCaller,
  changes: Changes,
  work: () => Promise<unknown>,
): Promise<string> {
  const { ended } = await test.database.transaction(async (tx) => {
    const inside = within(tx, accounts)
    if (caller.kind === 'operator') await updateOperator(inside, caller.operatorId, changes)
    else await updateUser(inside, caller.reseller.id, caller.userId, changes)
    let isSettled = false
    const ended = refusal(work)
    void ended.finally(() => {
      isSettled = true
    })
    while (!isSettled && !(await isSomebodyWaiting()));
    return { ended }
  })
  return ended
}

const MADE_BY_ANYBODY: readonly (readonly [string, (caller: SignedInCaller) => Promise<unknown>])[] = [
  [
    'a new password',
    (caller) =>
      changePassword(
        options,
        caller,
        { currentPassword: PASSWORD, password: 'the thief’s password' },
        VISITOR,
      ),
  ],
  ['the secret of a second factor', (caller) => enrol(options, caller)],
  ['the begin of a passkey', (caller) => beginPasskey(options, caller, {})],
  [
    'an act with the password',
    (caller) =>
      confirmPassword(options, caller, { field: 'password', password: PASSWORD }, async () => ({
        passed: undefined,
      })),
  ],
]

/** Answer of a device to the begin of a passkey: a new key, without a statement about the device. */
function attestationOf({ challenge, rpId }: { readonly challenge: string; readonly rpId: string }) {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = createHash('sha256').update(x).digest()
  const data = Buffer.concat([
    createHash('sha256').update(rpId).digest(),
    Buffer.from([0x45, 0, 0, 0, 1]),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const head = Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex')
  const attestation = Buffer.concat([head, Buffer.from([0x58, data.length]), data])
  const client = { type: 'webauthn.create', challenge, origin: `https://${rpId}` }
  return {
    id: id.toString('base64url'),
    response: {
      clientDataJSON: Buffer.from(JSON.stringify(client)).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    },
  }
}

describe.each([
  ['an operator', newOperator],
  ['a member', newMember],
] as const)('a proof of %s', (_, newPerson) => {
  it.each(MADE_BY_ANYBODY)('gives nothing after another password: %s', async (_what, make) => {
    const caller = await provenBy(await newPerson())
    expect(await during(caller, { password: NEXT_PASSWORD }, () => make(caller))).toBe('invalid_session')
    const key = { ...VISITOR, code: undefined, previousSecret: undefined, deviceSecret: undefined }
    const login = caller.kind === 'operator' ? caller.email : caller.username
    const again = signIn(options, { ...key, kind: caller.kind, login, password: NEXT_PASSWORD })
    expect(await again).toMatchObject({ hasSecondFactor: false })
  })

  it('gives nothing after a lower role, or none', async () => {
    const act = (caller: SignedInCaller) => () =>
      confirmPassword(options, caller, { field: 'password', password: PASSWORD }, async () => ({
        passed: undefined,
      }))
    const disabled = await newPerson()
    expect(await during(disabled, { status: 'disabled' }, act(disabled))).toBe('invalid_session')
    const demoted = await newPerson()
    const lower = (demoted.kind === 'operator' ? { role: 'read_only' } : { role: 'viewer' }) as Changes
    expect(await during(demoted, lower, act(demoted))).toBe('invalid_session')
  })

  it('confirms no second factor after another password', async () => {
    const caller = await newPerson()
    const { secret } = await enrol(options, await provenBy(caller))
    const confirm = () => confirmEnrolment(options, caller, codeAt(secret, stepAt(Date.now())))
    expect(await during(caller, { password: NEXT_PASSWORD }, confirm)).toBe('invalid_session')
  })

  it('registers no passkey after another password', async () => {
    const caller = await newPerson()
    const begun = await beginPasskey(options, await provenBy(caller), {})
    const given = { ceremony: begun.ceremony, label: 'My phone', credential: attestationOf(begun) }
    const create = () => createPasskey(options, caller, given)
    expect(await during(caller, { password: NEXT_PASSWORD }, create)).toBe('invalid_session')
    expect(await listOwnPasskeys(test.database, caller)).toEqual([])
  })

  it('needs the session until the commit', async () => {
    const caller = await newPerson()
    const hold = () => test.database.transaction((tx) => holdSession(options, tx, caller))
    expect(await refusal(hold)).toBe('not refused')
    await endOtherSessions(options, caller, 0n)
    expect(await refusal(hold)).toBe('invalid_session')
  })
})

it('an operator’s token is not made after another password', async () => {
  const caller = await provenBy(await newOperator())
  const make = () => createOperatorToken(options, caller, SCRIPT, undefined)
  expect(await during(caller, { password: NEXT_PASSWORD }, make)).toBe('invalid_session')
})

it('an operator’s tokens end with the password, whoever changes it', async () => {
  const caller = await newOperator()
  const { id } = await createOperatorToken(options, await provenBy(caller), SCRIPT, undefined)
  await updateOperator(accounts, caller.operatorId, { password: NEXT_PASSWORD })
  const { rows } = await test.database.query<{ is_revoked: boolean }>(
    'select revoked_at is not null as is_revoked from operator_tokens where id = $1',
    [id],
  )
  expect(rows).toEqual([{ is_revoked: true }])
})
