import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import { CHARACTER } from '../../testing/texts.ts'
import type { TokenNode, TokensBench } from '../../testing/tokens.ts'
import { newAddress, openTokensBench } from '../../testing/tokens.ts'

const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']

let bench: TokensBench
let node: TokenNode
let idToken: string

beforeAll(async () => {
  bench = await openTokensBench()
  node = await bench.openNode()
  const { username, password } = await bench.newUser()
  idToken = (await node.tokens.issue({ username, password, address: newAddress() })).idToken
  // The token is cached, so that a cache which confuses another text with it would be found too.
  await node.tokens.verify(idToken)
})
afterAll(() => bench.close())

async function expectRefused(texts: readonly string[]): Promise<void> {
  const changed = texts.filter((text) => text !== idToken)
  // All run at once: texts that name an unknown key wait together for one read of the database.
  const outcomes = await Promise.all(
    changed.map((text) =>
      node.tokens.verify(text).then(
        () => `${text} verifies`,
        (error: unknown) => (error instanceof RequestError ? error.code : String(error)),
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome !== 'invalid_token')).toEqual([])
}

it('an ID token with any one character changed to any other of its alphabet does not verify', async () => {
  const change = fc.record({ at: fc.nat(idToken.length - 1), to: fc.constantFrom(...ALPHABET, '.') })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 200, maxLength: 300 }), (changes) =>
      expectRefused(changes.map(({ at, to }) => idToken.slice(0, at) + to + idToken.slice(at + 1))),
    ),
    { numRuns: 5 },
  )
})

it('no other last character verifies, though some spell the same signature', async () => {
  await expectRefused(ALPHABET.map((character) => idToken.slice(0, -1) + character))
})

it('an ID token with any text put in, taken out or put in place of some of it does not verify', async () => {
  const splice = fc.record({
    at: fc.nat(idToken.length),
    remove: fc.nat(20),
    text: fc.oneof(fc.string({ unit: CHARACTER, maxLength: 5 }), fc.constantFrom('=', ' ', '\n', '.', '')),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(splice, { minLength: 200, maxLength: 300 }), (splices) =>
      expectRefused(
        splices.map(({ at, remove, text }) => idToken.slice(0, at) + text + idToken.slice(at + remove)),
      ),
    ),
    { numRuns: 5 },
  )
})

it('any header or payload under the signature of another does not verify', async () => {
  const [header, payload, signature] = idToken.split('.') as [string, string, string]
  const known = {
    ...(JSON.parse(Buffer.from(header, 'base64url').toString()) as object),
    ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object),
  }
  const names = fc.constantFrom('alg', 'kid', 'typ', 'crit', 'b64', 'jwk', 'jku', 'x5c', 'sub', 'exp')
  const object = fc.dictionary(names, fc.jsonValue({ maxDepth: 1 }), { minKeys: 1 })
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  await fc.assert(
    fc.asyncProperty(fc.array(object, { minLength: 100, maxLength: 200 }), (objects) =>
      expectRefused(
        objects.flatMap((each) => [
          `${encode(each)}.${payload}.${signature}`,
          `${encode({ ...known, ...each })}.${payload}.${signature}`,
          `${header}.${encode(each)}.${signature}`,
          `${header}.${encode({ ...known, ...each })}.${signature}`,
        ]),
      ),
    ),
    { numRuns: 5 },
  )
})
