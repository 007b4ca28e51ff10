import { describe, expect, it } from 'vitest'
import { buildIndex } from './build.ts'
import { likeness, search } from './search.ts'
import { termsOf } from './text.ts'

const INDEX = buildIndex([
  {
    page: 'Sign a request',
    title: '',
    url: '/docs/signing',
    text: 'Every request is signed.',
    names: '',
    weight: 1,
  },
  {
    page: 'Errors',
    title: 'Authentication',
    url: '/docs/errors#a',
    text: 'invalid_signature nonce_reused',
    names: '',
    weight: 1,
  },
  {
    page: 'Webhooks',
    title: 'Verify the sender',
    url: '/docs/webhooks#v',
    text: 'signature secret',
    names: '',
    weight: 1,
  },
])

const urls = (query: string) => search(INDEX, query).map(({ url }) => url)

describe('the search', () => {
  it('finds beginnings of words, and parts of compound ones', () => {
    expect(urls('signa')).toContain('/docs/errors#a')
    expect(urls('invalid_signature')[0]).toBe('/docs/errors#a')
    expect(urls('nonce')).toEqual(['/docs/errors#a'])
  })

  it.each(['verfy', 'verifi', 'vreify', 'veriffy'])('forgives a mistake: %s', (typed) => {
    expect(urls(typed)[0]).toBe('/docs/webhooks#v')
  })

  it('prefers a part that has all words', () => {
    expect(urls('verify signature')[0]).toBe('/docs/webhooks#v')
  })

  it('finds nothing for nothing, for words that say nothing, and for names of objects', () => {
    for (const query of ['', '   ', 'the of and', '__proto__', 'constructor']) expect(urls(query)).toEqual([])
  })
})

it('short words must be right, long ones may have two mistakes', () => {
  expect(likeness('kay', 'key')).toBe(0)
  expect(likeness('idempotancey', 'idempotency')).toBeGreaterThan(0)
  expect(likeness('balance', 'catalog')).toBe(0)
})

it('compound words count as a whole and in their parts', () => {
  expect(termsOf('getBalance X-Api-Key invalid_signature')).toEqual([
    ...['getbalance', 'get', 'balance', 'x', 'api', 'key', 'invalid_signature', 'invalid', 'signature'],
  ])
})
