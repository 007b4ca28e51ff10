import { describe, expect, it } from 'vitest'
import { findRelyingParty, userHandleOf } from './passkeys.rules.ts'

describe('the site of passkeys', () => {
  it.each([
    [['https://shop.example.com'], 'shop.example.com', ['https://shop.example.com']],
    [
      ['https://example.com', 'https://api.example.com'],
      'example.com',
      ['https://example.com', 'https://api.example.com'],
    ],
    [
      ['https://shop.example.com', 'https://api.example.com'],
      'shop.example.com',
      ['https://shop.example.com'],
    ],
    [['http://127.0.0.1:3000/'], 'localhost', ['http://localhost:3000']],
    [['http://[::1]:3000'], 'localhost', ['http://localhost:3000']],
    [['http://localhost:3000'], 'localhost', ['http://localhost:3000']],
  ])('the site of passkeys of %o is %s', (addresses, id, origins) => {
    expect(findRelyingParty(addresses)).toEqual({ id, origins })
  })

  it.each([
    ['http://shop.example.com'],
    ['https://203.0.113.5'],
    ['https://[2001:db8::1]'],
    ['http://192.168.1.5:3000'],
    ['http://localhost.example.com'],
  ])('is none for %s, where browsers offer no passkeys', (address) => {
    expect(findRelyingParty([address])).toBeUndefined()
  })

  it('is none where there is no address', () => {
    expect(findRelyingParty([])).toBeUndefined()
  })
})

it('two people have two handles', () => {
  const person = { kind: 'operator', resellerId: 0n, id: 7n } as const
  const handles = [person, { ...person, kind: 'member' as const }, { ...person, resellerId: 7n, id: 0n }]
  expect(new Set(handles.map((each) => userHandleOf(each).toString('hex'))).size).toBe(3)
})
