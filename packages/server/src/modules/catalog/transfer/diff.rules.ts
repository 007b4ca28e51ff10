import { isSame } from '../../../lib/input/same.ts'
import type { Diff, Touched } from '../model/store.types.ts'
import type { Columns } from './columns.rules.ts'
import { writeObjectRow } from './columns.rules.ts'
import { priceRowOf } from './print.rules.ts'
import { ALL_COLUMNS, keyOf } from './read.rules.ts'
import type { Difference, DocumentKind, LevelPrice, RowTypes } from './types.ts'

/**
 * Lists every resource that differs, member by member, in the spelling of files; a new or removed resource with
 * all its members.
 */
export function listDifferences(touched: Touched): Difference[] {
  return [
    ...touched.groups.flatMap((diff) => differenceOf('groups', diff)),
    ...touched.categories.flatMap((diff) => differenceOf('categories', diff)),
    ...touched.products.flatMap((diff) => differenceOf('products', diff)),
    ...touched.options.flatMap((diff) => differenceOf('options', diff)),
    ...touched.levels.flatMap((diff) => differenceOf('levels', diff)),
    ...touched.texts.flatMap(({ language, text, before, after }) => {
      const rowOf = (said: string | null) => (said === null ? null : { language, text, said })
      return differenceOf('texts', { before: rowOf(before), after: rowOf(after) })
    }),
    ...touched.prices.flatMap(({ levelCode, productCode, before, after }) => {
      const rowOf = (price: LevelPrice['price']) =>
        price === null ? null : priceRowOf({ levelCode, productCode, price })
      return differenceOf('prices', { before: rowOf(before), after: rowOf(after) })
    }),
  ]
}

function differenceOf<K extends DocumentKind>(kind: K, { before, after }: Diff<RowTypes[K]>): Difference[] {
  const row = after ?? before
  if (row === null) return []
  const id = keyOf(kind, row) ?? ''
  const write = (each: RowTypes[K]) =>
    writeObjectRow(ALL_COLUMNS[kind] as unknown as Columns<RowTypes[K]>, each)
  if (before === null || after === null) {
    const changes = Object.entries(write(row))
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) =>
        before === null ? { name, before: null, after: value } : { name, before: value, after: null },
      )
    return [{ kind, id, action: before === null ? 'create' : 'deactivate', changes }]
  }
  const old = write(before)
  const fresh = write(after)
  const names = Object.keys(fresh).filter((name) => !isSame(old[name], fresh[name]))
  const isSwitchedOff = old.is_active === true && fresh.is_active === false
  const changes = names.map((name) => ({ name, before: old[name], after: fresh[name] }))
  return [{ kind, id, action: isSwitchedOff ? 'deactivate' : 'update', changes }]
}
