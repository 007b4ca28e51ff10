import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf } from '../clients.ts'
import type { Answer } from '../http.ts'
import { listOperations } from '../listed.ts'
import { addPasskey, signInWithPasskey } from '../portal/passkeys.ts'
import { call, enrol, signIn } from '../portal/people.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices } from '../service.ts'
import { hireOperator } from './operators.ts'

let service: Service
let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database, environment: { WARUNG_OPERATOR_SECOND_FACTOR: 'required' } })
})
afterAll(async () => {
  await stopServices()
  await database.drop()
})

/** Operations that a user needs to set up a second factor, to see their own session, and to sign out. */
const WITHOUT_A_FACTOR = [
  'getOperatorSession',
  'deleteOperatorSession',
  'getOperatorTwoFactor',
  'enrolOperatorTwoFactor',
  'confirmOperatorTwoFactor',
  'listOperatorPasskeys',
  'beginOperatorPasskey',
  'createOperatorPasskey',
  'beginOperatorProof',
  'giveOperatorProof',
]

function isRefused({ status, json }: Answer): boolean {
  return status === 403 && json<{ error: string }>().error === 'second_factor_required'
}

describe('a service whose operators need a second factor', () => {
  it('one without it signs in, and every operation but setting one up is refused', async () => {
    const browser = await signIn(service, 'operator', await hireOperator(service, 'admin'))
    const all = (await listOperations(service, 'operator')).filter(({ isOpen }) => !isOpen)
    expect(all.length).toBeGreaterThan(50)
    // Signing out comes last, because it ends the session of the others.
    const operations = all.toSorted((a, b) => Number(a.id === SIGN_OUT) - Number(b.id === SIGN_OUT))
    const letIn: string[] = []
    for (const { id, method, path } of operations) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : {}
      const answer = await browser.send(method, path.replaceAll(/\{[A-Za-z]+\}/g, '999999999999'), body)
      if (!isRefused(answer)) letIn.push(id)
    }
    expect(letIn.toSorted()).toEqual(WITHOUT_A_FACTOR.toSorted())
  })

  it('one who set it up has every operation of the role at once', async () => {
    const person = await hireOperator(service, 'support')
    const browser = await signIn(service, 'operator', person)
    expect(isRefused(await browser.get('/payments'))).toBe(true)
    await enrol(browser, person.password)
    expect((await browser.get('/payments')).status).toBe(200)
  })

  it('a token works only while its operator has a second factor', async () => {
    const person = await hireOperator(service, 'read_only')
    const browser = await signIn(service, 'operator', person)
    const { codes } = await enrol(browser, person.password)
    const [first = '', second = ''] = codes
    const wanted = { label: 'script', role: 'read_only', expires_in_days: 1, password: person.password }
    const made = await browser.send('POST', '/tokens', { ...wanted, code: first })
    expect(made.status, made.text).toBe(201)
    const headers = { Authorization: `Bearer ${made.json<{ data: { token: string } }>().data.token}` }
    const byToken = (path: string) => call(service, 'GET', `/operator/v1${path}`, undefined, headers)
    expect((await byToken('/payments')).status).toBe(200)
    const proof = { password: person.password, code: second }
    expect((await browser.send('POST', '/two-factor/disable', proof)).status).toBe(204)
    for (const path of ['/payments', '/session']) {
      const answer = await byToken(path)
      expect([answer.status, errorOf(answer)]).toEqual([403, 'second_factor_required'])
    }
  })
})

const SIGN_OUT = 'deleteOperatorSession'

describe('a passkey where operators need a second factor', () => {
  it('is one: who registers it, or signs in with it, has every operation of the role', async () => {
    const person = await hireOperator(service, 'support')
    const browser = await signIn(service, 'operator', person)
    expect(isRefused(await browser.get('/payments'))).toBe(true)
    const { device } = await addPasskey(service, browser, { password: person.password })
    expect((await browser.get('/payments')).status).toBe(200)
    const other = await signInWithPasskey(service, 'operator', device)
    expect((await other.get('/payments')).status).toBe(200)
  })

  it('does not make a password enough, and a password adds no factor beside it', async () => {
    const person = await hireOperator(service, 'support')
    await addPasskey(service, await signIn(service, 'operator', person), { password: person.password })
    const thief = await signIn(service, 'operator', person)
    expect(isRefused(await thief.get('/payments'))).toBe(true)
    for (const path of ['/two-factor', '/passkeys/options']) {
      const answer = await thief.send('POST', path, { password: person.password })
      expect([path, answer.status, errorOf(answer)]).toEqual([path, 403, 'passkey_required'])
    }
  })

  it('a passkey where operators need a second factor that is removed leaves its session without a factor', async () => {
    const person = await hireOperator(service, 'support')
    const browser = await signIn(service, 'operator', person)
    const { id } = await addPasskey(service, browser, { password: person.password })
    expect((await browser.send('DELETE', `/passkeys/${id}`, { password: person.password })).status).toBe(204)
    expect(isRefused(await browser.get('/payments'))).toBe(true)
  })
})
