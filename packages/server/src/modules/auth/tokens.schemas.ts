import { Type } from 'typebox'
import { parseJsonBody } from '../../http/body.ts'
import type { FieldErrors } from '../../lib/errors.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import { tryFormDecode } from '../../lib/input/forms.ts'
import type { TokenResult } from './tokens.types.ts'

const LENGTH_MAX = { username: 200, password: 1_000, refresh_token: 500 } as const

type Field = keyof typeof LENGTH_MAX

export const TokenRequest = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: LENGTH_MAX.username }),
    password: Type.String({ minLength: 1, maxLength: LENGTH_MAX.password }),
  },
  { title: 'Token request' },
)

export const TokenRefreshRequest = Type.Object(
  {
    refresh_token: Type.String({ minLength: 1, maxLength: LENGTH_MAX.refresh_token }),
  },
  { title: 'Token refresh request' },
)

export const TokenResponse = Type.Object(
  {
    AuthenticationResult: Type.Object({
      AccessToken: Type.String({ description: 'Not accepted as a bearer token' }),
      ExpiresIn: Type.Integer({ description: 'Seconds until the ID token expires' }),
      TokenType: Type.Literal('Bearer'),
      RefreshToken: Type.Union([Type.String(), Type.Null()], {
        description: 'null on a refresh: keep using the original',
      }),
      IdToken: Type.String({ description: 'Send it as Authorization: Bearer <ID_TOKEN>' }),
    }),
  },
  { title: 'Tokens' },
)

export type TokenResponse = Type.Static<typeof TokenResponse>

export function toTokenResponse(result: TokenResult): TokenResponse {
  return {
    AuthenticationResult: {
      AccessToken: result.accessToken,
      ExpiresIn: result.expiresInSeconds,
      TokenType: 'Bearer',
      RefreshToken: result.refreshToken,
      IdToken: result.idToken,
    },
  }
}

/** Fields that a token operation reads, as they were sent. Their values are not checked yet. */
export type TokenBody = { readonly [F in Field]?: unknown }

export function parseCredentials(
  contentType: string | undefined,
  bytes: Buffer,
): { username: string; password: string } {
  return requireFields(parseTokenBody(contentType, bytes), ['username', 'password'])
}

export function parseRefreshToken(contentType: string | undefined, bytes: Buffer): { refresh_token: string } {
  return requireFields(parseTokenBody(contentType, bytes), ['refresh_token'])
}

/** Reads JSON (also without a content type) or a form, in UTF-8. An empty body has no fields. */
export function parseTokenBody(contentType: string | undefined, bytes: Buffer): TokenBody {
  const { type, charset } = readContentType(contentType ?? 'application/json')
  if (charset !== 'utf-8') throw unsupported('Send the body in UTF-8.')
  switch (type) {
    case 'application/json':
      return bytes.length === 0 ? {} : readObject(parseJsonBody('application/json', bytes))
    case 'application/x-www-form-urlencoded':
      return readForm(bytes)
    default:
      throw unsupported('Send the body as application/json or application/x-www-form-urlencoded.')
  }
}

function readContentType(text: string): { type: string; charset: string } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.map((parameter) => /^charset\s*=\s*"?([^"]*)"?$/.exec(parameter)?.[1])
  return { type, charset: charset.find((value) => value !== undefined) ?? 'utf-8' }
}

function readObject(value: unknown): TokenBody {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidFields({ body: ['The body must be a JSON object.'] })
  }
  return value
}

// A byte order mark is kept: in a form it becomes part of the first name, and that name is then unknown.
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function readForm(bytes: Buffer): TokenBody {
  const fields = new Map<string, string>()
  for (const pair of decodeUtf8(bytes).split('&')) {
    if (pair === '') continue
    const at = pair.indexOf('=')
    const name = tryFormDecode(at < 0 ? pair : pair.slice(0, at))
    const value = tryFormDecode(at < 0 ? '' : pair.slice(at + 1))
    if (name === undefined || value === undefined) throw malformedForm()
    // Two readers that choose different ones of two passwords would disagree about the caller.
    if (fields.has(name)) throw invalidFields({ body: ['The body names a field twice.'] })
    fields.set(name, value)
  }
  return Object.fromEntries(fields)
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return STRICT_UTF8.decode(bytes)
  } catch {
    throw malformedForm()
  }
}

function malformedForm(): RequestError {
  return invalidFields({ body: ['The body is not a valid form in percent-encoded UTF-8.'] })
}

/** Checks all fields and reports together which are missing and which are too long. */
function requireFields<F extends Field>(body: TokenBody, names: readonly F[]): Record<F, string> {
  const problems: Record<string, string[]> = {}
  const values: Partial<Record<F, string>> = {}
  for (const name of names) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (typeof value !== 'string' || value === '') problems[name] = [`The ${name} field is required.`]
    else if (isLonger(value, LENGTH_MAX[name])) {
      problems[name] = [`The ${name} field must not be longer than ${LENGTH_MAX[name]} characters.`]
    } else values[name] = value
  }
  if (Object.keys(problems).length > 0) throw invalidFields(problems satisfies FieldErrors)
  return values as Record<F, string>
}

/** Counts characters as JSON Schema does, but does not read megabytes only to refuse them. */
function isLonger(text: string, lengthMax: number): boolean {
  return text.length > 2 * lengthMax || [...text].length > lengthMax
}

function unsupported(publicText: string): RequestError {
  return new RequestError({ status: 415, code: 'unsupported_media_type', publicText })
}
