import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import type { DataTable } from './tables.ts'
import { printTableCsv, printXlsx } from './tables.ts'

const HOSTILE = [
  '=1+1',
  '+60123456789',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '＝1',
  '007',
  'a\u0000b\ud800',
  '<c r="A1"><f>1</f></c>',
]

const table: DataTable = {
  title: 'Sales [by] product/shop: with a name that is too long',
  columns: [
    { name: 'product', kind: 'text' },
    { name: 'payments', kind: 'count' },
    { name: 'sales_myr', kind: 'money' },
    { name: 'success_rate', kind: 'share' },
  ],
  rows: HOSTILE.map((text) => [text, '12', '-1234567890.1234', '']),
}

describe('an XLSX file', () => {
  it('has no formula, whatever a text begins with, and keeps every text and amount', async () => {
    const files = unzipSync(await printXlsx([table, { ...table, title: 'Second' }]))
    const xml = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
    const sheet = xml['xl/worksheets/sheet1.xml'] ?? ''
    expect(Object.keys(xml)).toContain('xl/worksheets/sheet2.xml')
    const cells = [...sheet.matchAll(/<c [^>]*?(?:\/>|>.*?<\/c>)/gs)].map(([cell]) => cell)
    expect(cells.length).toBeGreaterThan(4 * HOSTILE.length - HOSTILE.length)
    for (const cell of cells) expect(cell).not.toMatch(/<f[ >/]/)
    expect(sheet).toContain('<v>-1234567890.1234</v>')
    const strings = Object.values(xml).join('')
    for (const text of ['=1+1', '+60123456789', '@SUM(A1)', '007', 'ab']) {
      expect(strings).toContain(`>${text}<`)
    }
    expect(strings).toContain('&lt;f&gt;1&lt;/f&gt;')
    expect(xml['xl/workbook.xml']).toContain('name="Sales  by  product shop  with a"')
  })
})

it('a CSV file guards texts, and leaves amounts numbers', () => {
  const lines = printTableCsv(table).split('\r\n')
  expect(lines[0]).toBe('product,payments,sales_myr,success_rate')
  expect(lines[1]).toBe("'=1+1,12,-1234567890.1234,")
  expect(lines[2]).toBe("'+60123456789,12,-1234567890.1234,")
})
