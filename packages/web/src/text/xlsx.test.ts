import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readXlsx } from './xlsx.ts'

const LIMITS = { bytesMax: 1_000_000, rowsMax: 100 }

const WORKBOOK =
  '<workbook xmlns:r="r"><sheets><sheet name="Two" sheetId="2" r:id="rId7"/><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>'
const RELATIONS =
  '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId7" Target="/xl/worksheets/sheet2.xml"/></Relationships>'

function fileOf(rows: string, shared = '', more: Record<string, string> = {}): Uint8Array {
  const files = {
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': RELATIONS,
    'xl/worksheets/sheet2.xml': `<?xml version="1.0"?><worksheet><sheetData>${rows}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${shared}</sst>`,
    ...more,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
}

const read = (rows: string, shared?: string, more?: Record<string, string>) =>
  readXlsx(fileOf(rows, shared, more), LIMITS)

describe('a sheet', () => {
  it('is the first one of the workbook, each row at its line and each cell in its column', () => {
    const rows =
      '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="inlineStr"><is><t>in</t><t xml:space="preserve"> line</t></is></c></row>' +
      '<row r="4" spans="1:2"><c t="str"><v>x</v></c><c/><c><v>3</v></c></row><row r="9"/>'
    expect(read(rows, '<si><r><t>a</t></r><r><t>b &amp; &#x43;</t></r><rPh><t>no</t></rPh></si>')).toEqual({
      kind: 'rows',
      rows: [[], ['ab & C', '', 'in line'], [], ['x', '', '3']],
    })
  })

  it('keeps numbers as they are shown, and texts with their zeros', () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>60123456789</v></c><c r="C1"><v>10.5</v></c>' +
      '<c r="D1"><v>0.30000000000000004</v></c><c r="E1"><v>6.0123456789E10</v></c></row>'
    expect(read(rows, '<si><t>0123456789</t></si>')).toEqual({
      kind: 'rows',
      rows: [['0123456789', '60123456789', '10.5', '0.3', '60123456789']],
    })
  })

  it('with a namespace of its own is read as well', () => {
    const rows = '<x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>one</x:t></x:is></x:c></x:row>'
    expect(read(rows)).toEqual({ kind: 'rows', rows: [['one']] })
  })

  it('gives back every text that was written into it', () => {
    const escaped = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const cells = texts.map((_, at) => `<c t="s"><v>${at}</v></c>`).join('')
        const shared = texts.map((each) => `<si><t>${escaped(each)}</t></si>`).join('')
        expect(read(`<row>${cells}</row>`, shared)).toEqual({ kind: 'rows', rows: [texts] })
      }),
    )
  })
})

describe('a file', () => {
  it('is refused where a cell has a formula, whatever value it carries', () => {
    const rows = '<row r="3"><c r="A3"><f>HYPERLINK("http://x")</f><v>10</v></c></row>'
    expect(read(rows)).toEqual({ kind: 'formula', line: 3 })
    expect(read('<row r="1"><c><f/><v>10</v></c></row>')).toEqual({ kind: 'formula', line: 1 })
  })

  it('is refused where a number has more digits than a spreadsheet keeps', () => {
    expect(read('<row r="2"><c><v>1234567890123456</v></c></row>')).toEqual({ kind: 'digits', line: 2 })
    expect(read('<row r="2"><c><v>1E-9</v></c></row>')).toEqual({ kind: 'digits', line: 2 })
  })

  it('is refused when it has too many rows, or one far below', () => {
    expect(read('<row r="101"><c><v>1</v></c></row>')).toEqual({ kind: 'lines' })
    expect(read('<row r="1048576"><c><v>1</v></c></row>')).toEqual({ kind: 'lines' })
  })

  it('is refused before it unpacks to more than the limit', () => {
    const padding = { 'xl/sharedStrings.xml': ' '.repeat(2_000_000) }
    expect(fileOf('', '', padding).length).toBeLessThan(10_000)
    expect(read('', '', padding)).toEqual({ kind: 'size' })
  })

  it('is refused, or is empty, when it says that it unpacks to less than it does', () => {
    const bytes = fileOf('', '', { 'xl/sharedStrings.xml': `<sst>${' '.repeat(500_000)}</sst>` })
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    for (let at = 0; at < bytes.length - 4; at += 1) {
      // Both headers of an entry have its size.
      if (view.getUint32(at, true) === 500_011) view.setUint32(at, 1_000, true)
    }
    const found = readXlsx(bytes, LIMITS)
    expect(found.kind === 'format' || (found.kind === 'rows' && found.rows.length === 0)).toBe(true)
  })

  it.each([
    ['no archive', strToU8('product,account\n')],
    ['an empty file', new Uint8Array()],
    ['an archive of something else', zipSync({ 'word/document.xml': strToU8('<x/>') })],
    ['one without its sheet', fileOf('').slice(0, -40)],
    ['a document type', fileOf('', '<!DOCTYPE x [<!ENTITY a "b">]>')],
    ['rows out of order', fileOf('<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>')],
    ['a number that is none', fileOf('<row r="1"><c><v>1e999</v></c></row>')],
  ])('is refused when it is %s', (_what, bytes) => {
    expect(readXlsx(bytes, LIMITS)).toEqual({ kind: 'format' })
  })
})
