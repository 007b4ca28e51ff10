import { expect, it } from 'vitest'
import { isFresh, isSameText, signCallback } from './callbacks.rules.ts'

it('a signature is the HMAC-SHA256 of timestamp, point and body, in hex', () => {
  // echo -n '1700000000.{}' | openssl dgst -sha256 -hmac secret
  expect(signCallback('secret', '1700000000', '{}')).toBe(EXPECTED)
  expect(signCallback('secret', '1700000000', Buffer.from('{}'))).toBe(EXPECTED)
})

const EXPECTED = 'b8569b78799ff9e3cbff0fc2d63a33a2b57f3282abd07c37ae5e8e7d79a5f163'

it('a signature of five minutes ago is fresh; an older one is not, nor one of the future', () => {
  const nowMs = 1_700_000_000_000
  expect(isFresh('1699999700', nowMs)).toBe(true)
  expect(isFresh('1699999699', nowMs)).toBe(false)
  expect(isFresh('1700000301', nowMs)).toBe(false)
  for (const text of ['', '-1', '1e9', ' 1700000000', '1700000000.5'])
    expect(isFresh(text, nowMs)).toBe(false)
})

it('texts are the same or not, whatever their lengths', () => {
  expect(isSameText('abc', 'abc')).toBe(true)
  expect(isSameText('abc', 'abcd')).toBe(false)
  expect(isSameText('', '')).toBe(true)
})
