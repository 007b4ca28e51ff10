import type { Database } from '../../../db/database.ts'
import { dayOf, dayRange } from '../../../lib/dates.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { FLAG, optional } from '../../../lib/input/parameters.ts'
import type { Catalog } from '../../catalog/model/store.types.ts'
import type { ProductMargin } from '../../margins/matrix.rules.ts'
import type { RealisedMargin } from '../../margins/realised/rules.ts'
import { listRealised } from '../../margins/realised/service.ts'
import { marginsOf } from '../../margins/service.ts'
import type { Page } from '../kit/pages.rules.ts'
import { itemsAfter, PAGE_RULES, pageAfter, pageOf, SEARCH } from '../kit/pages.rules.ts'
import { matchesProduct } from './catalog.rules.ts'

export type MarginsContext = {
  readonly database: Database
  readonly catalog: Pick<Catalog, 'state'>
  readonly nowMs: () => number
}

export const MARGIN_LIST_RULES = {
  ...PAGE_RULES,
  search: SEARCH,
  negative: optional(FLAG, false),
  isActive: optional(FLAG, null),
}

export type MarginQuery = {
  readonly limit?: string | undefined
  readonly cursor?: string | undefined
  readonly search?: string | undefined
  readonly negative?: string | undefined
  readonly is_active?: string | undefined
}

/** Lists the margins of products. It stops when the page is full; a search for losses may go through all products. */
export async function listMargins(
  { database, catalog }: MarginsContext,
  query: MarginQuery,
): Promise<Page<ProductMargin>> {
  const asked = readFields(MARGIN_LIST_RULES, { ...query, isActive: query.is_active })
  const state = catalog.state()
  const left = itemsAfter(state.base.products, asked.cursor, ({ code }) => code)
  const products = [...left].filter((product) =>
    matchesProduct(product, { search: asked.search, isActive: asked.isActive, category: null }),
  )
  const found: ProductMargin[] = []
  for await (const margin of marginsOf(database, state, products)) {
    if (!asked.negative || margin.isNegative) found.push(margin)
    if (found.length > asked.limit) break
  }
  return pageOf(found, asked.limit, ({ product }) => product.code)
}

export const REALISED_DAYS_MAX = 31
const DAYS_USUAL = 7

export const REALISED_LIST_RULES = {
  ...PAGE_RULES,
  days: optional(dayRange(REALISED_DAYS_MAX), null),
}

/** Lists what suppliers took for the payments of some days, beside what their routes say. */
export async function listRealisedMargins(
  { database, nowMs }: Pick<MarginsContext, 'database' | 'nowMs'>,
  query: {
    readonly limit?: string | undefined
    readonly cursor?: string | undefined
    readonly days?: string | undefined
  },
): Promise<Page<RealisedMargin>> {
  const { days, ...page } = readFields(REALISED_LIST_RULES, query)
  const today = dayOf(nowMs())
  const realised = await listRealised(database, days ?? { from: today - DAYS_USUAL + 1, to: today })
  return pageAfter(realised, page, realisedKey, () => true)
}

function realisedKey({ productCode, provider, currency, ringgit }: RealisedMargin): string {
  return [productCode, provider, currency, ringgit === null ? 'unknown' : 'known'].join('/')
}
