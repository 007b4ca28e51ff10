import { describe, expect, it } from 'vitest'
import { parseDay } from '../../../lib/dates.ts'
import type { ImportTerms } from './import.rules.ts'
import { readStockLines } from './import.rules.ts'

const TODAY = parseDay('2026-11-15') as number
const TERMS: ImportTerms = { denomination: 100_000n, today: TODAY }

function read(lines: readonly string[], terms = TERMS) {
  const problems: string[] = []
  const read = [
    ...readStockLines(lines.join('\n'), terms, (line, message) => problems.push(`${line}: ${message}`)),
  ]
  return { problems, read }
}

describe('a file of the stock', () => {
  it('is read with its columns in any order, and without those it does not need', () => {
    const { problems, read: lines } = read([
      ' expiry ,serial,pin',
      '20261231,S1,1111',
      '2026-12-31,, 2222 ',
      '',
      ',S3,"33,33"',
    ])
    expect(problems).toEqual([])
    const day = parseDay('2026-12-31')
    expect(lines).toEqual([
      {
        line: 2,
        content: { pin: '1111', serialNumber: 'S1', link: '' },
        denomination: 100_000n,
        expiryDay: day,
      },
      {
        line: 3,
        content: { pin: '2222', serialNumber: '', link: '' },
        denomination: 100_000n,
        expiryDay: day,
      },
      {
        line: 5,
        content: { pin: '33,33', serialNumber: 'S3', link: '' },
        denomination: 100_000n,
        expiryDay: null,
      },
    ])
  })

  it('a file of the stock of links needs no PINs', () => {
    const { problems, read: lines } = read(['link', 'https://esim.example/a?b=1'])
    expect(problems).toEqual([])
    expect(lines).toMatchObject([{ content: { pin: '', link: 'https://esim.example/a?b=1' } }])
  })

  it('says the denomination line by line where it was not given', () => {
    const terms = { ...TERMS, denomination: null }
    expect(read(['pin,denomination', '1,10', '2,12.50'], terms).read).toMatchObject([
      { denomination: 100_000n },
      { denomination: 125_000n },
    ])
    expect(read(['pin', '1'], terms).problems).toEqual([
      '1: the denomination is not given, and there is no column denomination',
    ])
    expect(read(['pin,denomination', '1,10']).problems).toEqual([
      '1: the denomination is given, and there is a column denomination too',
    ])
    expect(read(['pin,denomination', '1,0', '2,x', '3,', '4,-1'], terms).problems).toHaveLength(4)
  })

  it('is told every problem with its line, and goes on behind it', () => {
    const { problems, read: lines } = read([
      'pin,expiry,link',
      '1111,20260230,',
      ',,',
      '2222,2026-11-14,',
      '3333,31/12/2026,',
      '4444,,ftp://x.example',
      '1.23457E+15,,',
      '5555',
      `${'6'.repeat(101)},,`,
      '7777,2026-11-15,',
    ])
    expect(problems).toEqual([
      '2: expiry: must be a day, yyyyMMdd or yyyy-MM-dd',
      '3: has neither pin nor link',
      '4: expiry: was on 2026-11-14',
      '5: expiry: must be a day, yyyyMMdd or yyyy-MM-dd',
      '6: link: must be an http or https address of at most 2000 characters',
      '7: pin: a spreadsheet has rounded this number; export the column as text',
      '8: has 1 cells, and the first line names 3 columns',
      '9: pin: must be 1 to 100 characters of text',
    ])
    expect(lines.map(({ line }) => line)).toEqual([10])
  })

  it.each([
    [[], ['1: is empty; the first line must name the columns']],
    [['pin,pin', '1,2'], ['1: the column pin stands twice']],
    [['serial', 'S1'], ['1: a column pin or link is missing']],
    [['pin,colour', '1,red'], ['1: column 2 is none of pin, serial, expiry, link, denomination']],
  ])('%j is refused by its first line', (lines, problems) => {
    expect(read(lines)).toEqual({ problems, read: [] })
  })

  it('never shows what stands in a line, not even in one that should have named the columns', () => {
    const secret = '9876543210123456'
    const texts = [
      read([`${secret},${secret}`, secret]),
      read(['pin', `${secret}\u0000`, `"${secret}`, `${secret}"x`, `"${secret}"x`, `${secret},1`]),
    ].flatMap(({ problems }) => problems)
    expect(texts.length).toBeGreaterThan(4)
    expect(texts.join()).not.toContain(secret)
  })
})
