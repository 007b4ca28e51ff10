import { createHmac, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { from, newAddress } from '../clients.ts'
import type { Answer } from '../http.ts'
import { send } from '../http.ts'
import type { Service } from '../service.ts'
import { until } from '../service.ts'

// Users who sign in through a browser, which keeps the cookie and sends the page's CSRF token.

export type Side = 'operator' | 'portal'

const COOKIES: Readonly<Record<Side, string>> = { operator: 'warung_operator', portal: 'warung_member' }

export type Browser = {
  readonly side: Side
  /** Secret of the session, from the cookie. */
  readonly secret: string
  /** Secret from the cookie by which the browser is known at the next sign-in. */
  readonly deviceSecret: string
  readonly csrfToken: string
  /** Sends a GET. `path` is below /operator/v1 or /portal/v1, or a whole one. */
  get(path: string): Promise<Answer>
  /** Sends a write. When it asks for a fresh proof, the person gives it and sends the write again, as the pages do. */
  send(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Gives a fresh proof, so that the next writes need none. */
  prove(): Promise<void>
  /** Sends a write, and nothing else: as a thief of the session would. */
  sendWithoutProof: Browser['send']
}

export type SignInFields = {
  email?: string
  username?: string
  password: string
  code?: string
}

/** Sends a request, by default from a new address each time, because an address has few attempts. */
export function call(
  { baseUrl }: Pick<Service, 'baseUrl'>,
  method: string,
  path: string,
  json?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = json === undefined ? undefined : JSON.stringify(json)
  const type: Record<string, string> = json === undefined ? {} : { 'Content-Type': 'application/json' }
  return send({ baseUrl, method, path, body, headers: { ...type, ...from(newAddress()), ...headers } })
}

export function trySignIn(
  service: Pick<Service, 'baseUrl'>,
  side: Side,
  fields: SignInFields,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return call(service, 'POST', `/${side}/v1/session`, fields, headers)
}

export async function signIn(
  service: Pick<Service, 'baseUrl'>,
  side: Side,
  fields: SignInFields,
): Promise<Browser> {
  const answer = await trySignIn(service, side, fields)
  expect(answer.status, answer.text).toBe(200)
  return browserOf(service, side, answer, fields.password)
}

/** Returns the browser of the user that an answer has signed in; with a password it gives proofs by itself. */
export function browserOf(
  service: Pick<Service, 'baseUrl'>,
  side: Side,
  answer: Answer,
  password?: string,
): Browser {
  const secret = cookieIn(answer, side)
  const { csrf_token: csrfToken } = answer.json<{ csrf_token: string }>()
  const cookie = { Cookie: `${COOKIES[side]}=${secret}` }
  const whole = (path: string) => (/^\/(operator|portal)\//.test(path) ? path : `/${side}/v1${path}`)
  const sendWithoutProof: Browser['send'] = (method, path, json, headers = {}) =>
    call(service, method, whole(path), json, { ...cookie, 'X-CSRF-Token': csrfToken, ...headers })
  const giveProof = () => sendWithoutProof('POST', '/session/proof', { password })
  return {
    side,
    secret,
    deviceSecret: deviceCookieIn(answer, side),
    csrfToken,
    get: (path) => call(service, 'GET', whole(path), undefined, cookie),
    async send(method, path, json, headers) {
      const first = await sendWithoutProof(method, path, json, headers)
      if (password === undefined || !asksForProof(first)) return first
      return (await giveProof()).status === 204 ? sendWithoutProof(method, path, json, headers) : first
    },
    async prove() {
      const given = await giveProof()
      expect(given.status, given.text).toBe(204)
    },
    sendWithoutProof,
  }
}

function asksForProof({ status, json }: Answer): boolean {
  return status === 403 && json<{ error: string }>().error === 'proof_required'
}

export function cookieIn(answer: Answer, side: Side): string {
  const [cookie = ''] = answer.headers['set-cookie'] ?? []
  return new RegExp(`^${COOKIES[side]}=([^;]*)`).exec(cookie)?.[1] ?? ''
}

function deviceCookieIn(answer: Answer, side: Side): string {
  const name = new RegExp(`^${COOKIES[side]}_device=([^;]*)`)
  for (const cookie of answer.headers['set-cookie'] ?? []) {
    const value = name.exec(cookie)?.[1]
    if (value !== undefined) return value
  }
  return ''
}

/** Returns the header that a browser sends when it signs in again. */
export function knownBrowser({ side, deviceSecret }: Browser): Record<string, string> {
  return { Cookie: `${COOKIES[side]}_device=${deviceSecret}` }
}

export type TestOperator = { email: string; password: string }

export async function createOperator(service: Service, role: string): Promise<TestOperator> {
  const email = `op.${randomBytes(6).toString('hex')}@example.com`
  const words = ['--email', email, '--name', 'Someone', '--role', role]
  const { password } = await service.warungd<TestOperator>('operator', 'create', ...words)
  return { email, password }
}

/** Signs in the demo's operator, an admin. */
export function signInOperator(service: Service): Promise<Browser> {
  return signIn(service, 'operator', service.demo.operator)
}

/** Signs in the user of a demo reseller, the first one by default; the user is an admin. */
export function signInMember(service: Service, index = 0): Promise<Browser> {
  const reseller = service.demo.resellers[index]
  if (reseller === undefined) throw new Error(`demo.json names no reseller ${index}`)
  return signIn(service, 'portal', { username: reseller.username, password: reseller.password })
}

/** Gives a user a second factor. The code of the present step is not used up. */
export async function enrol(
  browser: Browser,
  password: string,
): Promise<{ secret: string; codes: string[] }> {
  const made = await browser.send('POST', '/two-factor', { password })
  expect(made.status, made.text).toBe(201)
  const { secret, otpauth_uri: uri } = made.json<{ data: { secret: string; otpauth_uri: string } }>().data
  expect(uri).toContain(`secret=${secret}`)
  // The step may end on the way. Its code is then too old, and the next one is tried.
  const confirmed = await until('the second factor is confirmed', async () => {
    const code = appCode(secret, Date.now() - STEP_MS)
    const answer = await browser.send('POST', '/two-factor/confirm', { code })
    return answer.status === 200 && answer
  })
  const { data } = confirmed.json<{ data: { recovery_codes: string[] } }>()
  return { secret, codes: data.recovery_codes }
}

const STEP_MS = 30_000

/** Returns the code that an authenticator app shows for a secret at an instant. */
export function appCode(base32Secret: string, atMs = Date.now()): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...base32Secret]
    .map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const bytes = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / STEP_MS)))
  const mac = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const offset = mac.readUInt8(19) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
