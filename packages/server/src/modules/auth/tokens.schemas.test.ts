import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import { CHARACTER } from '../../testing/texts.ts'
import {
  parseCredentials,
  parseRefreshToken,
  parseTokenBody,
  TokenRequest,
  TokenResponse,
  toTokenResponse,
} from './tokens.schemas.ts'

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

function refusalOf(work: () => unknown): Pick<RequestError, 'status' | 'code' | 'fields'> {
  try {
    work()
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return { status: error.status, code: error.code, fields: error.fields }
  }
  throw new Error('nothing was refused')
}

const credentials = (type: string | undefined, body: string | Buffer) => () =>
  parseCredentials(type, Buffer.from(body as string))

describe('a token request', () => {
  it.each([JSON_TYPE, 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"', undefined])(
    'is read as JSON under %s',
    (type) => {
      expect(credentials(type, '{"username":"siti","password":"p&=+ é","more":1}')()).toEqual({
        username: 'siti',
        password: 'p&=+ é',
      })
    },
  )

  it.each([FORM_TYPE, `${FORM_TYPE}; charset=utf-8`, FORM_TYPE.toUpperCase()])(
    'is read as a form under %s',
    (type) => {
      expect(credentials(type, 'username=siti&password=p%26%3D%2B+%C3%A9&more=1')()).toEqual({
        username: 'siti',
        password: 'p&=+ é',
      })
    },
  )

  it('means the same in both forms, whatever the characters', () => {
    const text = fc.string({ unit: CHARACTER, minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(text, text, (username, password) => {
        const form = new URLSearchParams({ username, password }).toString()
        expect(credentials(FORM_TYPE, form)()).toEqual({ username, password })
        expect(credentials(JSON_TYPE, JSON.stringify({ username, password }))()).toEqual({
          username,
          password,
        })
      }),
    )
  })

  it.each([
    ['no body at all', undefined, ''],
    ['an empty JSON body', JSON_TYPE, ''],
    ['an empty object', JSON_TYPE, '{}'],
    ['an empty form', FORM_TYPE, ''],
    ['empty values', FORM_TYPE, 'username=&password'],
    ['empty strings', JSON_TYPE, '{"username":"","password":""}'],
    ['values that are no strings', JSON_TYPE, '{"username":1,"password":["x"]}'],
    ['null', JSON_TYPE, '{"username":null,"password":null}'],
    ['a prototype in their place', JSON_TYPE, '{"__proto__":{"username":"a","password":"b"}}'],
  ])('names every required field when there is %s', (_what, type, body) => {
    expect(refusalOf(credentials(type, body))).toEqual({
      status: 400,
      code: 'validation_failed',
      fields: {
        username: ['The username field is required.'],
        password: ['The password field is required.'],
      },
    })
  })

  it('names only the field that is missing', () => {
    const { fields } = refusalOf(credentials(FORM_TYPE, 'username=siti'))
    expect(fields).toEqual({ password: ['The password field is required.'] })
  })

  it.each([
    [JSON_TYPE, '{"username":"siti","password":"x"}'],
    [FORM_TYPE, 'username=siti&password=x&filler='],
  ])('a token request of %s is parsed up to the 64 KiB that the edge lets through', (type, body) => {
    const most = body.padEnd(65_536, type === JSON_TYPE ? ' ' : 'a')
    expect(credentials(type, most)()).toEqual({ username: 'siti', password: 'x' })
  })

  it('refuses what is too long, counting characters as its schema does', () => {
    const schema = Compile(TokenRequest)
    const longest = { username: '😀'.repeat(200), password: '😀'.repeat(1_000) }
    expect(schema.Check(longest)).toBe(true)
    expect(credentials(JSON_TYPE, JSON.stringify(longest))()).toEqual(longest)
    const longer = { username: `${longest.username}x`, password: `${longest.password}x` }
    expect(schema.Check(longer)).toBe(false)
    expect(refusalOf(credentials(JSON_TYPE, JSON.stringify(longer))).fields).toEqual({
      username: ['The username field must not be longer than 200 characters.'],
      password: ['The password field must not be longer than 1000 characters.'],
    })
  })

  it.each([
    ['broken JSON', JSON_TYPE, '{"username":'],
    ['an array', JSON_TYPE, '[]'],
    ['a text', JSON_TYPE, '"siti"'],
    ['null', JSON_TYPE, 'null'],
    ['JSON that is not UTF-8', JSON_TYPE, Buffer.from('{"username":"\xe9","password":"x"}', 'latin1')],
    ['a form that is not UTF-8', FORM_TYPE, Buffer.from('username=\xe9&password=x', 'latin1')],
    ['percent-encoding that is not UTF-8', FORM_TYPE, 'username=%E9&password=x'],
    ['broken percent-encoding', FORM_TYPE, 'username=100%&password=x'],
    ['a field sent twice', FORM_TYPE, 'username=a&password=x&username=b'],
    ['a field sent twice in two spellings', FORM_TYPE, 'username=a&password=x&user%6Eame=a'],
  ])('is malformed with %s', (_what, type, body) => {
    expect(refusalOf(credentials(type, body)).status).toBe(400)
  })

  it.each([
    'text/plain',
    'multipart/form-data; boundary=x',
    `${JSON_TYPE}; charset=iso-8859-1`,
    '',
    'application/jsonp',
  ])('is not read under %j', (type) => {
    expect(refusalOf(credentials(type, '{"username":"a","password":"b"}'))).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    })
  })
})

describe('a refresh request', () => {
  it('needs its token and nothing else', () => {
    const parse = (type: string, body: string) => parseRefreshToken(type, Buffer.from(body))
    expect(parse(FORM_TYPE, 'refresh_token=wrt_x')).toEqual({ refresh_token: 'wrt_x' })
    expect(parse(JSON_TYPE, '{"refresh_token":"wrt_x"}')).toEqual({ refresh_token: 'wrt_x' })
    expect(refusalOf(() => parse(JSON_TYPE, '{"username":"siti"}')).fields).toEqual({
      refresh_token: ['The refresh_token field is required.'],
    })
    expect(refusalOf(() => parse(FORM_TYPE, `refresh_token=${'x'.repeat(501)}`)).fields).toEqual({
      refresh_token: ['The refresh_token field must not be longer than 500 characters.'],
    })
  })

  it('the body alone is read without a word about what is missing', () => {
    expect(parseTokenBody(FORM_TYPE, Buffer.from('username=siti'))).toEqual({ username: 'siti' })
  })
})

it("a result is spelt as the contract's AuthenticationResult", () => {
  const result = { accessToken: 'a', idToken: 'i', expiresInSeconds: 3_600 }
  expect(toTokenResponse({ ...result, refreshToken: null })).toEqual({
    AuthenticationResult: {
      AccessToken: 'a',
      ExpiresIn: 3_600,
      TokenType: 'Bearer',
      RefreshToken: null,
      IdToken: 'i',
    },
  })
  for (const refreshToken of ['r', null]) {
    expect(Compile(TokenResponse).Check(toTokenResponse({ ...result, refreshToken }))).toBe(true)
  }
})
