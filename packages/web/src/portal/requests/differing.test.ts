import { describe, expect, it } from 'vitest'
import { differingOf, visible } from './differing.ts'

describe('differingOf', () => {
  it('marks what lies between the equal beginning and the equal end', () => {
    expect(differingOf('v1:1:n:GET::h', 'v1:1:n:get::h', false)).toEqual({
      before: 'v1:1:n:',
      ours: 'GET',
      yours: 'get',
      after: '::h',
    })
  })

  it('marks nothing on the side that lacks something', () => {
    expect(differingOf('a:b', 'a:b\n', false)).toMatchObject({ ours: '', yours: '\n' })
    expect(differingOf('aa', 'a', false)).toEqual({ before: 'a', ours: 'a', yours: '', after: '' })
    expect(differingOf('ab', '', false)).toEqual({ before: '', ours: 'ab', yours: '', after: '' })
  })

  it('compares no end with a text that was cut', () => {
    expect(differingOf('abcX', 'abdX', true)).toEqual({ before: 'ab', ours: 'cX', yours: 'dX', after: '' })
  })

  it('puts the texts together again', () => {
    for (const yours of ['', 'v1', 'v1:1:n:GET::hh', 'x', 'v1:1:n:GET:a=1:h']) {
      const parts = differingOf('v1:1:n:GET::h', yours, false)
      expect(parts.before + parts.ours + parts.after).toBe('v1:1:n:GET::h')
      expect(parts.before + parts.yours + parts.after).toBe(yours)
    }
  })

  it('shows line breaks and spaces', () => {
    expect(visible('a \r\n\tb')).toBe('a·␍↵\n⇥b')
  })
})
