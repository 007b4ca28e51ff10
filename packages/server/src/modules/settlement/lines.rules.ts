import type { CsvRecord } from '../../lib/input/csv-stream.ts'
import { isPrintable, text } from '../../lib/input/fields.ts'
import type { Column, Mapping, SettlementLine } from './types.ts'
import { parseAmount, parseTime } from './values.rules.ts'

export type ColumnPositions = {
  readonly reference: number
  readonly amount: number
  readonly currency: number | null
  readonly state: number
  readonly time: number | null
  readonly serialNumber: number | null
}

/** Finds the positions of the mapping's columns in this file, or reports what is missing. */
export function findColumns(
  mapping: Mapping,
  headings: readonly string[] | null,
): { positions?: ColumnPositions; problems: readonly string[] } {
  const problems: string[] = []
  const names = headings?.map((heading) => heading.trim()) ?? []
  const columnIndexOf = (column: Column): number => {
    if (typeof column === 'number') return column - 1
    const place = names.indexOf(column)
    if (place < 0) problems.push(`there is no column ${column}; the file has: ${names.join(', ')}`)
    else if (names.indexOf(column, place + 1) >= 0) problems.push(`there are two columns ${column}`)
    return place
  }
  const positions: ColumnPositions = {
    reference: columnIndexOf(mapping.reference.column),
    amount: columnIndexOf(mapping.amount.column),
    currency: mapping.currency.column === null ? null : columnIndexOf(mapping.currency.column),
    state: columnIndexOf(mapping.state.column),
    time: mapping.time === null ? null : columnIndexOf(mapping.time.column),
    serialNumber: mapping.serialNumber === null ? null : columnIndexOf(mapping.serialNumber.column),
  }
  return problems.length === 0 ? { positions, problems } : { problems }
}

export type LineReading =
  | { readonly kind: 'line'; readonly line: SettlementLine }
  | { readonly kind: 'skip' }
  | { readonly kind: 'problems'; readonly problems: readonly string[] }

const TEXT_MAX = 200
/** Reference of an order in a provider's file: ours or the provider's. */
const REFERENCE = text(1, TEXT_MAX)

/** Returns the payment and attempt that a reference of ours names. */
export type NameOf = (reference: string) => { paymentId: bigint; attempt: number } | undefined

/** Reads one record as an order, or reports everything that is wrong with it. */
export function readLine(
  mapping: Mapping,
  positions: ColumnPositions,
  { line, cells }: CsvRecord,
  nameOf: NameOf,
): LineReading {
  if (mapping.skipFirstCells.includes(cells[0]?.trim() ?? '')) return { kind: 'skip' }
  const cellAt = (place: number) => cells[place]?.trim() ?? ''
  const word = cellAt(positions.state)
  const state = mapping.state.values.get(word)
  if (state === 'skip') return { kind: 'skip' }
  const columns = Math.max(...Object.values(positions).map((place) => (place ?? 0) + 1))
  if (cells.length < columns) {
    return { kind: 'problems', problems: [`the line has ${cells.length} cells of ${columns}`] }
  }
  const problems: string[] = []
  if (state === undefined) problems.push(`state ${JSON.stringify(word)} is not in the mapping`)

  const reference = cellAt(positions.reference)
  if (REFERENCE.read(reference) === undefined) {
    problems.push(`reference ${JSON.stringify(reference.slice(0, TEXT_MAX))} is none`)
  }
  const figure = cellAt(positions.amount)
  const amount = parseAmount(figure, mapping.amount)
  if (amount === undefined) problems.push(`amount ${JSON.stringify(figure)} cannot be read`)

  const { is } = mapping.currency
  const currency = positions.currency === null ? is : cellAt(positions.currency)
  if (currency.toUpperCase() !== is) {
    problems.push(`the line is in ${JSON.stringify(currency)}; the mapping says ${is}`)
  }

  const time = positions.time === null ? null : cellAt(positions.time)
  const at = time === null || mapping.time === null ? null : parseTime(time, mapping.time)
  if (at === undefined) problems.push(`time ${JSON.stringify(time)} is not ${mapping.time?.format}`)
  const serialNumber =
    positions.serialNumber === null ? '' : cellAt(positions.serialNumber).slice(0, TEXT_MAX)
  if (!isPrintable(serialNumber)) problems.push('the serial number has characters that cannot be printed')
  if (problems.length > 0 || state === undefined || amount === undefined || at === undefined)
    return { kind: 'problems', problems }
  const named = mapping.reference.of === 'ours' ? nameOf(reference) : undefined
  const { paymentId = null, attempt = null } = named ?? {}
  return { kind: 'line', line: { line, reference, paymentId, attempt, amount, state, serialNumber, at } }
}
