import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { Product } from '../../api/portal.generated.ts'
import type { Line } from './lines.ts'
import { fileText, LINES_MAX, PART_LINES_MAX, partsOf, readFile, sampleFile } from './lines.ts'

const lineOf = (line: number, more: Partial<Line> = {}): Line => ({
  line,
  product: 'NOVA',
  account: '60123456789',
  amount: '10',
  ...more,
})

describe('an uploaded file', () => {
  const sheet = (rows: string) =>
    zipSync({
      'xl/workbook.xml': strToU8('<workbook><sheets><sheet r:id="a"/></sheets></workbook>'),
      'xl/_rels/workbook.xml.rels': strToU8('<r><Relationship Id="a" Target="worksheets/sheet1.xml"/></r>'),
      'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
    })
  const row = (line: number, ...texts: readonly string[]) =>
    `<row r="${line}">${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`

  it('a spreadsheet has the lines of the same file as CSV', async () => {
    const read = await fileText(
      sheet(row(2, 'product', 'account', 'amount') + row(4, 'NOVA', '+60123456789', '10')),
    )
    expect(read.kind === 'text' && readFile(read.text)).toEqual({
      kind: 'lines',
      lines: [lineOf(4, { account: '+60123456789' })],
    })
  })

  it('text stays as it is, and a file that is neither is refused', async () => {
    expect(await fileText(new TextEncoder().encode('a,b\n'))).toEqual({ kind: 'text', text: 'a,b\n' })
    expect(await fileText(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1]))).toMatchObject({ kind: 'problem' })
    const formula = '<row r="2"><c><f>1+1</f><v>2</v></c></row>'
    expect(await fileText(sheet(formula))).toEqual({ kind: 'problem', problem: { kind: 'formula', line: 2 } })
  })
})

describe('a file of payments', () => {
  it('has its columns in any order, with extras only where a cell is filled', () => {
    const read = readFile(
      'Amount,product,account,biller_code,reference\n84.50,BILLPAY,100,15835,A1\n5,NOVA,60,,\n',
    )
    expect(read).toEqual({
      kind: 'lines',
      lines: [
        {
          line: 2,
          product: 'BILLPAY',
          account: '100',
          amount: '84.50',
          extras: { biller_code: '15835' },
          reference: 'A1',
        },
        { line: 3, product: 'NOVA', account: '60', amount: '5' },
      ],
    })
  })

  it('a file that cannot be read says why, and nothing of it is used', () => {
    expect(readFile('')).toMatchObject({ problem: { kind: 'empty' } })
    expect(readFile('product,account,amount\n')).toMatchObject({ problem: { kind: 'empty' } })
    expect(readFile('product,number\n1,2')).toMatchObject({ problem: { missing: ['account', 'amount'] } })
    expect(readFile(`product,account,amount\nA,${'9'.repeat(501)},1`)).toMatchObject({
      problem: { kind: 'cell', line: 2 },
    })
    const tooMany = `product,account,amount\n${'A,1,1\n'.repeat(LINES_MAX + 1)}`
    expect(readFile(tooMany)).toMatchObject({ problem: { kind: 'lines' } })
  })

  it('is the sample that can be downloaded, with products of the catalogue that need no more than three columns', () => {
    const field = { id: 'phone', placeholder: '60123456789' }
    const plain = { fields: [field], fulfillment: { account: { from_field: 'phone' } }, denomination: '5,10' }
    const products = [
      { code: 'NOVA', ...plain },
      { code: 'PLAN', ...plain, fulfillment: { ...plain.fulfillment, extras: {} } },
    ] as unknown as Product[]
    expect(readFile(sampleFile(products))).toEqual({
      kind: 'lines',
      lines: [{ line: 2, product: 'NOVA', account: '60123456789', amount: '5', reference: 'INV-1001' }],
    })
  })
})

describe('the requests of a large file', () => {
  it('hold at most as many lines as the service takes, and each line once', () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => lineOf(index, { reference: String(index) }))
    const parts = partsOf(lines) ?? []
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(PART_LINES_MAX)
    expect(
      parts
        .flat()
        .map(({ line }) => line)
        .toSorted((a, b) => a - b),
    ).toEqual(lines.map(({ line }) => line))
  })

  it('keep equal lines together, however far apart they stand, so that each gets its own refid', () => {
    const others = Array.from({ length: 1_998 }, (_, index) =>
      lineOf(index + 2, { reference: String(index) }),
    )
    const parts = partsOf([lineOf(1), ...others, lineOf(2_000, { amount: '10.00' })]) ?? []
    const homes = parts.filter((part) => part.some(({ line }) => line === 1 || line === 2_000))
    expect(homes).toHaveLength(1)
  })

  it('keep lines together that may be one payment, however its number is spelt and whatever its reference is', () => {
    const others = Array.from({ length: 1_998 }, (_, index) =>
      lineOf(index + 2, { account: `60${String(1_000_000 + index)}` }),
    )
    const [first, last] = [lineOf(1, { reference: 'A' }), lineOf(2_000, { account: '012-345 6789' })]
    const parts = partsOf([first, ...others, last]) ?? []
    expect(parts.filter((part) => part.includes(first) || part.includes(last))).toHaveLength(1)
  })

  it('are cut between references where one request does not take all that are alike', () => {
    const lines = Array.from({ length: 2_500 }, (_, index) => lineOf(index, { reference: String(index) }))
    const parts = partsOf(lines) ?? []
    expect(parts.map((part) => part.length)).toEqual([1_000, 1_000, 500])
  })

  it('do not exist when more lines are equal than one request takes', () => {
    expect(partsOf(Array.from({ length: PART_LINES_MAX + 1 }, (_, index) => lineOf(index)))).toBeUndefined()
  })
})
