import { randomBytes } from 'node:crypto'
import { from, newAddress } from './clients.ts'
import { BALANCE, createReseller } from './edge.ts'
import type { Answer } from './http.ts'
import { send } from './http.ts'
import type { Service } from './service.ts'

export type AuthenticationResult = {
  AccessToken: string
  ExpiresIn: number
  TokenType: string
  RefreshToken: string | null
  IdToken: string
}

export type TestUser = { account: string; username: string; password: string }

/** Makes a user with a generated password, by default of a new reseller. */
export async function createUser(
  service: Service,
  options: { account?: string; role?: 'admin' | 'viewer' } = {},
): Promise<TestUser> {
  const account = options.account ?? (await createReseller(service)).account
  const username = `user.${randomBytes(6).toString('hex')}`
  const login = ['--username', username, '--role', options.role ?? 'admin']
  const made = await service.warungd<TestUser>('user', 'create', '--reseller', account, ...login)
  return { account, username, password: made.password }
}

/** Requests a token, by default from a new address each time, because an address has few token requests. */
export function askToken(
  service: Pick<Service, 'baseUrl'>,
  body: unknown,
  headers = from(newAddress()),
): Promise<Answer> {
  return postJson(service, '/v2/token', body, headers)
}

export function askRefresh(
  service: Pick<Service, 'baseUrl'>,
  body: unknown,
  headers = from(newAddress()),
): Promise<Answer> {
  return postJson(service, '/v2/token/refresh', body, headers)
}

export async function getTokens(
  service: Pick<Service, 'baseUrl'>,
  { username, password }: Pick<TestUser, 'username' | 'password'>,
): Promise<AuthenticationResult & { RefreshToken: string }> {
  const tokens = tokensIn(await askToken(service, { username, password }))
  if (tokens.RefreshToken === null) throw new Error('a token request gives a refresh token')
  return { ...tokens, RefreshToken: tokens.RefreshToken }
}

export function tokensIn(answer: Answer): AuthenticationResult {
  if (answer.status !== 200) throw new Error(`no token: ${answer.status} ${answer.text}`)
  return answer.json<{ AuthenticationResult: AuthenticationResult }>().AuthenticationResult
}

export function balanceByToken(
  service: Pick<Service, 'baseUrl'>,
  token: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const all = { Authorization: `Bearer ${token}`, ...headers }
  return send({ baseUrl: service.baseUrl, path: BALANCE, headers: all })
}

function postJson(
  service: Pick<Service, 'baseUrl'>,
  path: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  return send({
    baseUrl: service.baseUrl,
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
