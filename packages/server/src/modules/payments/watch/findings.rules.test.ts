import { describe, expect, it } from 'vitest'
import type { Finding } from './findings.rules.ts'
import { changesOf } from './findings.rules.ts'

const finding = (state: Finding['state'], text = 'now', subject = 'acme'): Finding => ({
  subject,
  text,
  state,
})
const open = [{ subject: 'acme', text: 'now' }]

describe('the alert of a subject', () => {
  it('opens at one threshold and closes at another, and stays as it is between them', () => {
    expect(changesOf([finding('unclear')], [], true)).toEqual({ raised: [], cleared: [] })
    expect(changesOf([finding('bad')], [], true)).toEqual({ raised: [finding('bad')], cleared: [] })
    expect(changesOf([finding('bad')], open, true)).toEqual({ raised: [], cleared: [] })
    expect(changesOf([finding('unclear')], open, true)).toEqual({ raised: [], cleared: [] })
    expect(changesOf([finding('well')], open, true)).toEqual({ raised: [], cleared: ['acme'] })
    expect(changesOf([finding('well')], [], true)).toEqual({ raised: [], cleared: [] })
  })

  it('is brought up to date when its text changes', () => {
    for (const state of ['bad', 'unclear'] as const) {
      const later = finding(state, 'later')
      expect(changesOf([later], open, true)).toEqual({ raised: [later], cleared: [] })
    }
  })

  it('ends where the subject is not found any more, if that means that it is well', () => {
    expect(changesOf([], open, true).cleared).toEqual(['acme'])
    expect(changesOf([], open, false).cleared).toEqual([])
  })

  it('is one of 20 that one turn opens, and all open ones are kept up to date', () => {
    const many = Array.from({ length: 50 }, (_, index) => finding('bad', 'later', `s${index}`))
    const known = many.slice(30).map(({ subject }) => ({ subject, text: 'now' }))
    expect(changesOf(many, known, true).raised).toHaveLength(40)
  })
})
