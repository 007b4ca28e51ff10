import { beforeAll, describe, expect, it } from 'vitest'
import { BOX, splitRuns, toOneLine } from './text-runs.ts'
import type { Typeface } from './typefaces.ts'
import { listTypefaces } from './typefaces.ts'

let typefaces: readonly Typeface[]

beforeAll(async () => {
  typefaces = await listTypefaces()
})

/** Lists `typeface:text`, from left to right; the standard font has no name. */
function runsOf(text: string): string[] {
  return splitRuns(toOneLine(text), typefaces).map(
    (run) => `${run.typeface?.replace('noto-sans', 'noto') ?? ''}:${run.text}`,
  )
}

describe('typefaces', () => {
  it('text that the standard fonts have is one run of them', () => {
    expect(runsOf('Kedai “Böse” & Söhne, 5 € …')).toEqual([':Kedai “Böse” & Söhne, 5 € …'])
    expect(runsOf('')).toEqual([])
  })

  it('each script of a mixed line is in its own typeface', () => {
    expect(runsOf('Kedai 明珠 தமிழ் كدي Sdn Bhd')).toEqual([
      ':Kedai ',
      'noto-sc:明珠',
      ': ',
      'noto-tamil:தமிழ்',
      ': ',
      'noto-arabic:كدي',
      ': Sdn Bhd',
    ])
  })

  it.each([
    ['noto', 'Nguyễn Thị Ốc'],
    ['noto', 'Магазин Жемчужина'],
    ['noto', 'Μαργαριτάρι'],
    ['noto-sc', '明珠贸易行'],
    ['noto-sc', '明珠貿易行「龍鳳」邨衞骉'],
    ['noto-sc', 'パール商店'],
    ['noto-kr', '진주상점'],
    ['noto-tamil', 'முத்துக்கடை'],
    ['noto-devanagari', 'मोतीकीदुकान'],
    ['noto-bengali', 'মুক্তারদোকান'],
    ['noto-gurmukhi', 'ਮੋਤੀਦੀਦੁਕਾਨ'],
    ['noto-telugu', 'ముత్యాలదుకాణం'],
    ['noto-malayalam', 'മുത്തുകട'],
    ['noto-thai', 'ร้านไข่มุก'],
    ['noto-lao', 'ຮ້ານໄຂ່ມຸກ'],
    ['noto-khmer', 'ហាងគុជ'],
    ['noto-myanmar', 'ပုလဲဆိုင်'],
    ['noto-arabic', 'ڤاسر'],
  ])('%s has the letters of %s', (typeface, text) => {
    const [run, ...others] = runsOf(text.replaceAll(/[a-z ]/gi, ''))
    expect(run?.split(':')[0]).toBe(typeface)
    expect(others).toEqual([])
  })

  it('a letter stays with its marks, also where Unicode has no code point for both', () => {
    expect(runsOf('A x\u0302 B')).toEqual([':A ', 'noto:x\u0302', ': B'])
    expect(runsOf('U\u0308')).toEqual([':Ü'])
  })

  it('a word of Latin letters is in one typeface', () => {
    expect(runsOf('Cửa hàng Ngọc')).toEqual(['noto:Cửa', ': hàng ', 'noto:Ngọc'])
    expect(runsOf('A明')).toEqual([':A', 'noto-sc:明'])
  })

  it('a character without a typeface is one box, and never another letter', () => {
    expect(runsOf('A👩‍👩‍👧B')).toEqual([':A', `noto-symbols:${BOX}`, ':B'])
    expect(runsOf('\ud800')).toEqual(['noto:\ufffd'])
  })

  it('breaks and controls are spaces, invisible characters are left out', () => {
    expect(runsOf('A\nB\tC\u00a0D\u2009E')).toEqual([':A B C D E'])
    expect(runsOf('A\u00ad\u200b\ufeffB')).toEqual([':AB'])
  })
})

describe('direction', () => {
  it('Arabic words stand from right to left, each as the shaper reads it', () => {
    expect(runsOf('كدي علي')).toEqual(['noto-arabic:علي', ': ', 'noto-arabic:كدي'])
  })

  it('the first letter decides the direction of the line', () => {
    expect(runsOf('كدي Ali')).toEqual([':Ali', ': ', 'noto-arabic:كدي'])
    expect(runsOf('Ali كدي')).toEqual([':Ali ', 'noto-arabic:كدي'])
  })

  it('brackets in Arabic text open to the left', () => {
    expect(runsOf('كدي (علي)')).toEqual([':(', 'noto-arabic:علي', ':) ', 'noto-arabic:كدي'])
  })

  it('a sign whose mirror image no typeface has stands as it is', () => {
    expect(runsOf('كدي ≤')).toEqual(['noto-symbols:≥', ': ', 'noto-arabic:كدي'])
    expect(runsOf('كدي ∟')).toEqual(['noto-symbols:∟', ': ', 'noto-arabic:كدي'])
  })

  it('numbers in Arabic text run from left to right', () => {
    expect(runsOf('كدي 123 علي')).toEqual(['noto-arabic:علي', ': ', ':123', ': ', 'noto-arabic:كدي'])
    // The digits stand one by one: the shaper would reverse them.
    const [one, two, three] = ['noto-arabic:١', 'noto-arabic:٢', 'noto-arabic:٣']
    expect(runsOf('كدي ١٢٣')).toEqual([one, two, three, ': ', 'noto-arabic:كدي'])
  })

  it('an override in a name turns nothing round', () => {
    expect(runsOf('Kedai \u202eABC\u202c \u2067x\u2069')).toEqual([':Kedai ABC x'])
  })
})
