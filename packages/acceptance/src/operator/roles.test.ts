import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../http.ts'
import type { Browser } from '../portal/people.ts'
import { call, signIn, signInMember } from '../portal/people.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices } from '../service.ts'
import { EXPECTED } from './expected-roles.ts'
import type { Role } from './operators.ts'
import { hireOperator, ROLES, signInAs } from './operators.ts'

// Every operation of the operators' API, as its own document lists them, tried by every role. An operation that is not
// in the table of roles is a failure: add it to the table.

type Listed = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly isOpen: boolean
}

let service: Service
let database: TestDatabase
let operations: readonly Listed[]
const seats = new Map<Role, Browser>()

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database })
  operations = await listOperations()
  for (const role of ROLES) seats.set(role, await signInAs(service, role))
})
afterAll(async () => {
  await stopServices()
  await database.drop()
})

type Document = {
  paths: Record<string, Record<string, { operationId: string; security?: readonly object[] }>>
}

async function listOperations(): Promise<Listed[]> {
  const { paths } = (await service.get('/operator/v1/openapi.json')).json<Document>()
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      // The id exists nowhere, so that no operation, allowed or not, finds anything to change.
      path: path.replaceAll(/\{[A-Za-z]+\}/g, '999999999999'),
      isOpen: security?.length === 0,
    })),
  )
  // Signing out comes last, because it ends the session of the others.
  return [...all.filter(({ id }) => id !== SIGN_OUT), ...all.filter(({ id }) => id === SIGN_OUT)]
}

const SIGN_OUT = 'deleteOperatorSession'

function bodyFor({ method }: Listed): object | undefined {
  return method === 'GET' || method === 'DELETE' ? undefined : {}
}

function browserOf(role: Role): Browser {
  const browser = seats.get(role)
  if (browser === undefined) throw new Error(`nobody sits there for ${role}`)
  return browser
}

type Verdict = 'let in' | 'wrong role' | 'forged' | 'stranger' | 'signed in alone' | string

function verdictOf({ status, text, json }: Answer): Verdict {
  const code = status === 401 || status === 403 ? json<{ error: string }>().error : ''
  if (status === 401) return 'stranger'
  if (code === 'insufficient_role') return 'wrong role'
  if (code === 'invalid_csrf_token') return 'forged'
  if (code === 'session_required') return 'signed in alone'
  return status < 500 && status !== 403 ? 'let in' : `${status} ${text}`
}

type Surprise = { readonly operation: string; readonly expected: Verdict; readonly was: Verdict }

/** Lists the operations that answered otherwise than expected. */
async function surprises(
  tried: readonly Listed[],
  attempt: (operation: Listed) => Promise<Answer>,
  expected: (operation: Listed) => Verdict,
): Promise<Surprise[]> {
  const found: Surprise[] = []
  for (const operation of tried) {
    const was = verdictOf(await attempt(operation))
    if (was !== expected(operation))
      found.push({ operation: operation.id, expected: expected(operation), was })
  }
  return found
}

it('the table of who may do what has every operation, and no other', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(operations.map(({ id }) => id).sort())
  const open = operations.filter(({ isOpen }) => isOpen).map(({ id }) => id)
  expect(open.sort()).toEqual(
    Object.keys(EXPECTED)
      .filter((id) => EXPECTED[id] === 'anyone')
      .sort(),
  )
})

it('a role that may only read has no operation that changes anything but its own sign-in', () => {
  const changing = operations.filter(
    ({ id, method }) => method !== 'GET' && EXPECTED[id]?.includes('read_only') === true,
  )
  expect(changing.map(({ id }) => id).sort()).toEqual(
    changing
      .map(({ id }) => id)
      .filter(isOwn)
      .sort(),
  )
})

/** Returns true for operations on the caller's own sessions, pages, password and second factor. */
function isOwn(id: string): boolean {
  const path = operations.find((each) => each.id === id)?.path ?? ''
  return /^\/operator\/v1\/(session|sessions|password|two-factor|passkeys|totp|tokens|live)(\/|$)/.test(path)
}

function isAllowed(role: Role, { id }: Listed): boolean {
  const expected = EXPECTED[id]
  return role === 'admin' || (Array.isArray(expected) && expected.includes(role))
}

function closed(): Listed[] {
  return operations.filter(({ isOpen }) => !isOpen)
}

describe('an operation is refused', () => {
  it('an operation is refused to a stranger', async () => {
    const attempt = (each: Listed) => call(service, each.method, each.path, bodyFor(each))
    expect(await surprises(closed(), attempt, () => 'stranger')).toEqual([])
  })

  it('an operation is refused to a member of a reseller, also when the session is shown as an operator’s', async () => {
    const member = await signInMember(service)
    const attempt = (each: Listed) => member.send(each.method, each.path, bodyFor(each))
    expect(await surprises(closed(), attempt, () => 'stranger')).toEqual([])
    const headers = { Cookie: `warung_operator=${member.secret}`, 'X-CSRF-Token': member.csrfToken }
    const disguised = (each: Listed) => call(service, each.method, each.path, bodyFor(each), headers)
    expect(await surprises(closed(), disguised, () => 'stranger')).toEqual([])
  })

  it('an operation is refused to a reseller’s signed API key and bearer of something else', async () => {
    const headers = { Authorization: 'Bearer wop_nothing-that-was-ever-given-out' }
    const attempt = (each: Listed) => call(service, each.method, each.path, bodyFor(each), headers)
    expect(await surprises(closed(), attempt, () => 'stranger')).toEqual([])
  })

  it('an operation is refused to an admin whose page does not know the CSRF token, if it changes anything', async () => {
    const headers = { Cookie: `warung_operator=${browserOf('admin').secret}` }
    const attempt = (each: Listed) => call(service, each.method, each.path, bodyFor(each), headers)
    const changing = closed().filter(({ method }) => method !== 'GET')
    expect(await surprises(changing, attempt, () => 'forged')).toEqual([])
  })
})

describe('an operator who is signed in gets the operations of the role, and no other', () => {
  it.each(ROLES)('%s', async (role) => {
    const browser = browserOf(role)
    const attempt = (each: Listed) => browser.send(each.method, each.path, bodyFor(each))
    const expected = (each: Listed) => (isAllowed(role, each) ? 'let in' : 'wrong role')
    expect(await surprises(closed(), attempt, expected)).toEqual([])
  })
})

describe('a script’s token gets the operations of its own role, not of its owner’s', () => {
  it.each(ROLES)('%s', async (role) => {
    const token = await makeToken(role)
    const headers = { Authorization: `Bearer ${token}` }
    const attempt = (each: Listed) => call(service, each.method, each.path, bodyFor(each), headers)
    const found = await surprises(closed(), attempt, (each) => {
      if (!isAllowed(role, each)) return 'wrong role'
      return isOwn(each.id) && each.id !== 'getOperatorSession' ? 'signed in alone' : 'let in'
    })
    expect(found).toEqual([])
  })
})

describe('a script’s token to read gets no more than its owner could read', () => {
  it.each(ROLES)('%s', async (role) => {
    const token = await makeToken('read_only', role)
    const headers = { Authorization: `Bearer ${token}` }
    const attempt = (each: Listed) => call(service, each.method, each.path, bodyFor(each), headers)
    const found = await surprises(closed(), attempt, (each) => {
      if (!isAllowed('read_only', each) || !isAllowed(role, each)) return 'wrong role'
      return isOwn(each.id) && each.id !== 'getOperatorSession' ? 'signed in alone' : 'let in'
    })
    expect(found).toEqual([])
  })
})

async function makeToken(role: Role, owner: Role = 'admin'): Promise<string> {
  const person = await hireOperator(service, owner)
  const browser = await signIn(service, 'operator', person)
  const wanted = { label: `as ${role}`, role, expires_in_days: 1, password: person.password }
  const answer = await browser.send('POST', '/tokens', wanted)
  expect(answer.status, answer.text).toBe(201)
  return answer.json<{ data: { token: string } }>().data.token
}

it('no answer to who was let in is kept by a browser or a proxy', async () => {
  const admin = await signInAs(service, 'admin')
  const kept: string[] = []
  for (const { id, path, method } of closed()) {
    if (method !== 'GET') continue
    const answer = await admin.get(path)
    if (answer.status === 200 && answer.headers['cache-control'] !== 'no-store') kept.push(id)
  }
  expect(kept).toEqual([])
})
