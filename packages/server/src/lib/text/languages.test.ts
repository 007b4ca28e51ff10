import { describe, expect, it } from 'vitest'
import { preferredLanguage } from './languages.ts'

const OFFERED = ['ms', 'id', 'zh', 'ta'] as const

describe('the language of an answer', () => {
  it('is the one with the most weight, whatever its region', () => {
    for (const [header, language] of [
      ['ms', 'ms'],
      ['ms-MY', 'ms'],
      ['zh-Hans-CN, en;q=0.5', 'zh'],
      ['en;q=0.4, TA ;q=0.9', 'ta'],
      ['fr, id;q=0.3', 'id'],
      ['ms;q=0.5, zh;q=0.7', 'zh'],
      ['ms, zh', 'ms'],
    ] as const) {
      expect(preferredLanguage(header, OFFERED), header).toBe(language)
    }
  })

  it('is the default without a header, and for one that names no other language before English', () => {
    for (const header of [
      undefined,
      '',
      '*',
      'en',
      'en-GB, ms;q=0.9',
      'fr',
      'ms;q=0',
      'ms;q=2',
      'msx',
      ';;,,',
    ]) {
      expect(preferredLanguage(header, OFFERED), header).toBeUndefined()
    }
  })

  it('looks at twenty ranges, however many are sent', () => {
    expect(preferredLanguage(`${'fr,'.repeat(100_000)}ms`, OFFERED)).toBeUndefined()
  })
})
