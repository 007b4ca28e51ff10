import { printCsv } from '../../../lib/input/csv.ts'
import type { Columns, CsvColumns } from './columns.rules.ts'
import { columnNames, writeCsvRow, writeObjectRow } from './columns.rules.ts'
import { ALL_COLUMNS, CSV_COLUMNS, FORMAT } from './read.rules.ts'
import type { CatalogDocument, CsvKind, DocumentKind, LevelPrice, PriceRow } from './types.ts'
import { DOCUMENT_KINDS } from './types.ts'

/** Prints the given kinds as one JSON document: one line for each row, several for a product. */
export function printDocument(
  document: CatalogDocument,
  kinds: readonly DocumentKind[] = DOCUMENT_KINDS,
): string {
  const members = kinds.map((kind) => {
    const rows = writeRows(kind, document).map((row) =>
      kind === 'products' ? indent(JSON.stringify(row, null, 2), 4) : `    ${JSON.stringify(row)}`,
    )
    return `  "${kind}": [${rows.length === 0 ? '' : `\n${rows.join(',\n')}\n  `}]`
  })
  return `{\n${[`  "format": "${FORMAT}"`, ...members].join(',\n')}\n}\n`
}

export function printCsvFile(document: CatalogDocument, kind: CsvKind): string {
  const columns = CSV_COLUMNS[kind] as CsvColumns<object>
  const rows: readonly object[] = kind === 'prices' ? document.prices.map(priceRowOf) : document[kind]
  return printCsv([columnNames(columns), ...rows.map((row) => writeCsvRow(columns, row))])
}

function writeRows(kind: DocumentKind, document: CatalogDocument): object[] {
  const columns = ALL_COLUMNS[kind] as Columns<object>
  const rows: readonly object[] = kind === 'prices' ? document.prices.map(priceRowOf) : document[kind]
  return rows.map((row) => writeObjectRow(columns, row))
}

export function priceRowOf({ levelCode, productCode, price }: LevelPrice): PriceRow {
  if (price === null) return { levelCode, productCode, discountType: 'none', value: null, currency: 'MYR' }
  const { discountType, unitPrice, currency } = price
  return { levelCode, productCode, discountType, value: unitPrice < 0n ? -unitPrice : unitPrice, currency }
}

export function levelPriceOf({
  levelCode,
  productCode,
  discountType,
  value,
  currency,
}: PriceRow): LevelPrice {
  if (discountType === 'none' || value === null) return { levelCode, productCode, price: null }
  const unitPrice = discountType === 'fixed' ? -value : value
  return { levelCode, productCode, price: { discountType, unitPrice, currency } }
}

function indent(text: string, columns: number): string {
  return text.replace(/^/gm, ' '.repeat(columns))
}
