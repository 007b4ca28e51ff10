import { expect, it } from 'vitest'
import type { DataTable } from '../../../http/streams/tables.ts'
import { readPdfPages } from '../../../testing/pdf.ts'
import { printTablesPdf } from './tables-pdf.view.ts'

const RIGHT = 545.28

async function print(tables: readonly DataTable[]): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const document = {
    title: 'Sales',
    subject: 'Sales report',
    heading: 'Sales',
    issuer: 'Warung',
    at: new Date('2026-11-01T00:00:00Z'),
    fields: [['Account', '1000001']] as const,
    tables,
  }
  for await (const piece of printTablesPdf(document)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const table: DataTable = {
  title: 'Sales by product',
  columns: [
    { name: 'Product', kind: 'text' },
    { name: 'Payments', kind: 'count' },
    { name: 'Sales', kind: 'money' },
    { name: 'Rate', kind: 'share' },
  ],
  rows: [
    [
      `Nova reload ${'with a name that is much longer than its column '.repeat(4)}`,
      '1234',
      '1234567.50',
      '0.5',
    ],
    ['Kedai كيداي', '1', '10.1234', ''],
  ],
}

it('tables are printed with whole numbers, whose points align, and long texts are cut', async () => {
  const bytes = await print([table])
  const texts = readPdfPages(bytes).flat()
  const all = texts.map(({ text }) => text)
  expect(all).toEqual(expect.arrayContaining(['1,234', '1,234,567.5000', '10.1234', '50.0%', '1000001']))
  const cut = texts.find(({ text }) => text.startsWith('Nova reload'))
  const next = texts.find(({ text }) => text === '1,234')
  expect(cut?.text.length).toBeLessThan(120)
  expect(cut?.end).toBeLessThan(next?.x ?? 0)
  expect(texts.every(({ end, isMissingGlyphs }) => end <= RIGHT + 0.1 && !isMissingGlyphs)).toBe(true)
  expect((await print([table])).equals(bytes)).toBe(true)
})

it('a table that does not fit goes on on the next page, under its headings', async () => {
  const rows = Array.from({ length: 120 }, (_, index) => [`Product ${index}`, '1', '10.00', '1'])
  const pages = readPdfPages(await print([{ ...table, rows }]))
  expect(pages.length).toBe(3)
  for (const page of pages) expect(page.map(({ text }) => text)).toContain('Payments')
  expect(pages.flat().filter(({ text }) => text.startsWith('Product '))).toHaveLength(120)
})
