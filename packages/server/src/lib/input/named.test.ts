import { describe, expect, it } from 'vitest'
import { readFields } from './fields.ts'
import { findNamed, SEARCH_TEXT } from './named.ts'
import { required } from './parameters.ts'

const RULES = { q: required('q', SEARCH_TEXT) }

const PRODUCTS = [
  { code: 'XK', name: 'Other kita' },
  { code: 'ZZ', name: 'Kita Data' },
  { code: 'KITA', name: 'Prepaid' },
  { code: 'CELX', name: 'Celx' },
]

describe('products that are searched for', () => {
  it('come with those first whose code begins with it, then those whose name does', () => {
    expect(findNamed(PRODUCTS, 'kita', 8).map(({ code }) => code)).toEqual(['KITA', 'ZZ', 'XK'])
  })

  it('are as many as asked for', () => {
    expect(findNamed(PRODUCTS, 'KITA', 1)).toHaveLength(1)
    expect(findNamed(PRODUCTS, 'nothing', 8)).toEqual([])
  })
})

describe('a text to search for', () => {
  it('is read without the spaces around it', () => {
    expect(readFields(RULES, { q: ' ab ' })).toEqual({ q: 'ab' })
  })

  it.each([[undefined], [''], [' a '], ['x'.repeat(101)], ['a\0b']])('is refused as %j', (q) => {
    expect(() => readFields(RULES, { q })).toThrow()
  })
})
