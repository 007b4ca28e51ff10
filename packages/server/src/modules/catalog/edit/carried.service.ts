import type { Database } from '../../../db/database.ts'
import { listTranslations } from '../model/state.rules.ts'
import type { BaseChange, CatalogState, Translation } from '../model/store.types.ts'
import { loadCatalog } from '../store/load.service.ts'
import { applyBase } from './base.service.ts'

const REASON = 'carried from the first group'

/**
 * Makes the base of this group's catalogue the same as another group's: resellers hear of it as of any change. What the
 * other one does not have stays and is switched off, because rows of this group may name it.
 */
export async function carryBase(
  source: CatalogState,
  database: Database,
  held: CatalogState | undefined,
): Promise<void> {
  const present = await loadCatalog(database, held)
  await applyBase(database, changeTo(source, present), REASON, { held: present })
}

function changeTo(source: CatalogState, present: CatalogState): BaseChange {
  const options = optionsOf(source)
  const optionIds = new Set(options.map(idOf))
  return {
    groups: withRetired(source.base.groups, present.base.groups),
    categories: withRetired(source.base.categories, present.base.categories),
    products: withRetired(source.base.products, present.base.products),
    options: [
      ...options,
      ...optionsOf(present)
        .filter((option) => !optionIds.has(idOf(option)))
        .map((option) => ({ ...option, isActive: false })),
    ],
    levels: [...source.levels.values()].map(({ code, name }) => ({ code, name })),
    texts: [...listTranslations(source.texts), ...takenBack(source, present)],
    prices: [...pricesOf(source), ...withdrawn(source, present)],
  }
}

type Row = { readonly code: string; readonly isActive: boolean }

function withRetired<T extends Row>(rows: readonly T[], present: readonly T[]): T[] {
  const codes = new Set(rows.map(({ code }) => code))
  return [
    ...rows,
    ...present.filter(({ code }) => !codes.has(code)).map((row) => ({ ...row, isActive: false })),
  ]
}

function optionsOf({ base }: CatalogState) {
  return [...base.options.values()].flatMap((fields) => [...fields.values()].flat())
}

function idOf({ productCode, fieldId, code }: ReturnType<typeof optionsOf>[number]): string {
  return JSON.stringify([productCode, fieldId, code])
}

function takenBack(source: CatalogState, present: CatalogState): Translation[] {
  return listTranslations(present.texts)
    .filter(({ language, text }) => (source.texts.get(language)?.get(text) ?? null) === null)
    .map((each) => ({ ...each, said: null }))
}

function pricesOf({ levels }: CatalogState) {
  return [...levels.values()].flatMap(({ code: levelCode, prices }) =>
    [...prices].map(([productCode, price]) => ({ levelCode, productCode, price })),
  )
}

function withdrawn(source: CatalogState, present: CatalogState) {
  return pricesOf(present)
    .filter(({ levelCode, productCode }) => !source.levels.get(levelCode)?.prices.has(productCode))
    .map(({ levelCode, productCode }) => ({ levelCode, productCode, price: null }))
}
