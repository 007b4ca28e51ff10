import { describe, expect, it } from 'vitest'
import { listClusters } from '../../../lib/text/text-runs.ts'
import type { PdfText } from '../../../testing/pdf.ts'
import { listEmbeddedFonts, readPdfPages } from '../../../testing/pdf.ts'
import { NO_MOVEMENTS } from '../closings/closings.rules.ts'
import type { MonthStatement } from '../closings/types.ts'
import { parseMonth } from './statement.rules.ts'
import { printStatementPdf } from './statement-pdf.view.ts'

const RIGHT = 545.28
/** Font size, which is also the width of an ellipsis. */
const SIZE = 9
/** Size limit. Statements without a font are about 3 kB; a whole font would add hundreds. */
const BYTES_MAX = 60_000

function statementOf(name: string): MonthStatement {
  const month = parseMonth('2026-10')
  if (month === undefined) throw new Error('no month')
  return {
    account: '601200000000',
    name,
    month,
    asOf: month.to + 1,
    opening: 0n,
    days: [],
    totals: NO_MOVEMENTS,
    closing: 0n,
    entries: async function* () {},
  }
}

async function print(name: string, issuer = 'Warung'): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of printStatementPdf(statementOf(name), issuer)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** Returns the value beside a label: all texts of its line, from left to right. */
function fieldOf(bytes: Buffer, label: string): PdfText {
  const texts = readPdfPages(bytes).flat()
  const place = texts.find(({ text }) => text === label)
  const parts = texts.filter(({ x, y }) => y === place?.y && x > place.x)
  return {
    x: Math.min(...parts.map(({ x }) => x)),
    y: place?.y ?? Number.NaN,
    text: parts.map(({ text }) => text).join(''),
    end: Math.max(...parts.map(({ end }) => end)),
    isMissingGlyphs: parts.some(({ isMissingGlyphs }) => isMissingGlyphs),
  }
}

/** Puts Arabic into the order on the paper, from left to right. */
function toVisual(text: string): string {
  return text.replace(/[\p{Script=Arabic}\s]*\p{Script=Arabic}/gu, (words) => {
    const space = /^\s*/.exec(words)?.[0] ?? ''
    return space + [...words.slice(space.length)].reverse().join('')
  })
}

const NAMES: readonly [string, string, readonly string[]][] = [
  ['simplified Chinese', '明珠贸易行', ['NotoSansSC-Regular']],
  ['traditional Chinese', '明珠貿易行「龍鳳」', ['NotoSansSC-Regular']],
  ['Tamil', 'முத்துக் கடை', ['NotoSansTamil-Regular']],
  ['Jawi', 'كداي ڤرماتا', ['NotoSansArabic-Regular']],
  ['Thai', 'ร้านไข่มุก', ['NotoSansThai-Regular']],
  ['Devanagari', 'मोती की दुकान', ['NotoSansDevanagari-Regular']],
  ['Cyrillic', 'Магазин Жемчужина', ['NotoSans-Regular']],
  ['Vietnamese', 'Cửa hàng Ngọc Trai', ['NotoSans-Regular']],
  [
    'mixed',
    'Kedai 明珠 தமிழ் كدي Sdn Bhd',
    ['NotoSansArabic-Regular', 'NotoSansSC-Regular', 'NotoSansTamil-Regular'],
  ],
]

describe('names', () => {
  it.each(NAMES)(
    'a name in %s is found as it was given, and every glyph is there',
    async (_, name, fonts) => {
      const bytes = await print(name)
      const field = fieldOf(bytes, 'Name')
      expect(field.text).toBe(toVisual(name))
      expect(field.isMissingGlyphs).toBe(false)
      expect(listEmbeddedFonts(bytes)).toEqual(fonts)
      expect(bytes.length).toBeLessThan(BYTES_MAX)
    },
  )

  it.each([
    ['明珠貿易行', '明珠貿易行'],
    ['Магазин', 'Магазин'],
    ['Ngọc', 'Ngọc'],
    ['มุก', 'มุก'],
    ['دار', 'راد'],
    ['Ali دار', 'Ali راد'],
    ['عبدالله بن نبيل تين', 'نيت ليبن نب هللادبع'],
    ['கெ கொ மீனாட்சி', 'கெ கொ மீனாட்சி'],
    ['हिन्दी र्कि', 'हिन्दी र्कि'],
    ['دار Ali (درر) 12', '12 (ررد) Ali راد'],
  ])('the glyphs of %s stand from left to right as %s', async (name, drawn) => {
    expect(fieldOf(await print(name), 'Name').text).toBe(drawn)
  })

  it('the issuer is shown like a name', async () => {
    const bytes = await print('Kedai', '珍珠私人有限公司')
    expect(fieldOf(bytes, 'Issued by')).toMatchObject({ text: '珍珠私人有限公司', isMissingGlyphs: false })
  })

  it('a character that no font has is a box', async () => {
    const field = fieldOf(await print('Kedai 😀'), 'Name')
    expect(field).toMatchObject({ text: 'Kedai □', isMissingGlyphs: false })
  })

  it('a statement in Latin letters has no font in it', async () => {
    expect(listEmbeddedFonts(await print('Kedai “Böse” Sdn Bhd'))).toEqual([])
  })

  it('the same statement is the same bytes', async () => {
    const name = 'Kedai 明珠 தமிழ் كدي Sdn Bhd'
    expect((await print(name)).equals(await print(name))).toBe(true)
  })
})

describe('long names', () => {
  // The reader does not know the width of an ellipsis in a standard font at the right end.
  it.each([
    ['明珠'.repeat(50), SIZE],
    ['முத்து'.repeat(25), SIZE],
    ['كداي '.repeat(30), 0],
    ['Kedai 明珠 தமிழ் كدي '.repeat(8), SIZE],
    ['x\u0302'.repeat(100), 0],
  ])('%s is cut between letters, and ends before the margin', async (name, ellipsis) => {
    const field = fieldOf(await print(name), 'Name')
    expect(field.text).toContain('…')
    const letters = new Set(listClusters(name))
    const kept = listClusters(field.text.replace('…', ''))
    expect(kept.filter((cluster) => !letters.has(cluster))).toEqual([])
    expect(field.end + ellipsis).toBeLessThanOrEqual(RIGHT)
    expect(field.end + ellipsis).toBeGreaterThan(RIGHT - 4 * SIZE)
  })
})
