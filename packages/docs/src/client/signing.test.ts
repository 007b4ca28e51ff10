import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { queryOf, signRequest } from './signing.ts'

type Case = {
  name: string
  secret: string
  method: string
  query: string
  body: { utf8?: string } | null
  timestamp: string
  nonce: string
  signature: string
  verifies: boolean
  reading: { encoding: string; empties: string; repeats: string } | null
}

const { cases } = JSON.parse(
  readFileSync(new URL('../../../../vectors/signing.json', import.meta.url), 'utf8'),
) as { cases: Case[] }

it('the browser signs the golden cases without a query as the contract says', async () => {
  const plain = cases.filter(
    ({ verifies, reading, query, body, name }) =>
      // These clients hash nothing although they send a body.
      !name.includes('not-hashed') &&
      verifies &&
      reading?.encoding === 'wire' &&
      query === '' &&
      (body === null || body.utf8 !== undefined),
  )
  expect(plain.length).toBeGreaterThan(5)
  for (const { name, secret, body, signature, method, timestamp, nonce, query } of plain) {
    const headers = await signRequest({
      ...{ method: method.toUpperCase(), query, timestamp, nonce },
      body: body?.utf8 ?? '',
      apiKey: 'key',
      secretBase64: secret,
    })
    expect(headers['X-Signature'], name).toBe(signature)
  }
})

it('the browser sends the query sorted and without empty values', () => {
  expect(
    queryOf([
      ['b', '1'],
      ['a', 'x y'],
      ['c', ''],
    ]),
  ).toBe('a=x+y&b=1')
})
