import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRouter } from './router.ts'

const ROUTES = [
  { method: 'GET', path: '/v2/balance' },
  { method: 'POST', path: '/v2/topup' },
  { method: 'GET', path: '/v2/things' },
  { method: 'PUT', path: '/v2/things' },
  { method: 'GET', path: '/v2/things/:thingId' },
  { method: 'POST', path: '/v2/things/:thingId/parts/:partId' },
  { method: 'GET', path: '/' },
] as const

const router = createRouter(ROUTES)
const find = (method: string, url: string) => router.find(method, url)

describe('a route is found', () => {
  it.each([
    ['GET', '/v2/balance', '/v2/balance'],
    ['GET', '/v2/balance?a=/v2/topup', '/v2/balance'],
    ['GET', '/v2/balance?', '/v2/balance'],
    ['GET', '/v2/balance#top', '/v2/balance'],
    ['GET', '/v2/%62alance', '/v2/balance'],
    ['GET', 'http://shop.example/v2/balance?x=1', '/v2/balance'],
    ['GET', '/', '/'],
    ['GET', '/?a=b', '/'],
  ])('%s %s', (method, url, path) => {
    expect(find(method, url)).toMatchObject({ kind: 'found', route: { path }, params: {} })
  })

  it('a route is found with its parameters decoded, an encoded slash being part of a name', () => {
    expect(find('GET', '/v2/things/a%2Fb%20c?d=1')).toMatchObject({ params: { thingId: 'a/b c' } })
    expect(find('POST', '/v2/things/1/parts/2')).toMatchObject({ params: { thingId: '1', partId: '2' } })
  })

  it('a route is found for every name that can be sent', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), (name) => {
        fc.pre(name.length <= 200)
        const found = find('GET', `/v2/things/${encodeURIComponent(name)}`)
        expect(found).toMatchObject({ kind: 'found', params: { thingId: name } })
      }),
    )
  })
})

it('a name that is longer than any name is cut, and left to the operation to refuse', () => {
  const found = find('GET', `/v2/things/${'a'.repeat(9_000)}`)
  expect(found).toMatchObject({ kind: 'found', params: { thingId: 'a'.repeat(201) } })
})

describe('nothing is found', () => {
  it.each([
    '/v2/Balance',
    '/v2/balance/',
    '//v2/balance',
    '/v2%2Fbalance',
    '/v2/things/',
    '/v2/things/1/parts',
    '*',
    '',
  ])('nothing is found at %s', (url) => {
    expect(find('GET', url)).toEqual({ kind: 'unmatched', methods: [] })
  })

  it('nothing is found for a method that the address does not take, which is told those it does', () => {
    expect(find('DELETE', '/v2/things')).toEqual({ kind: 'unmatched', methods: ['GET', 'PUT'] })
    expect(find('HEAD', '/v2/balance?a=1')).toEqual({ kind: 'unmatched', methods: ['GET'] })
    expect(find('PUT', '/v2/things/7')).toEqual({ kind: 'unmatched', methods: ['GET'] })
  })

  it.each(['/v2/%zz', '/v2/%', '/v2/things/%c3%28'])('nothing is found in what is no address: %s', (url) => {
    expect(find('GET', url)).toEqual({ kind: 'unreadable' })
  })
})
