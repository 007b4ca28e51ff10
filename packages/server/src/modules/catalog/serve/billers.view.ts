import { pageWrapper } from '../../../http/pages.ts'
import type { EffectiveOption } from '../model/types.ts'
import { billerItem } from './legacy.view.ts'
import type { BillersParameters } from './parameters.rules.ts'

/** Returns a page of billers with links to the other pages; without a limit, all billers are on one page. */
export function billersPage(
  message: string,
  path: string,
  billers: readonly EffectiveOption[],
  parameters: BillersParameters,
) {
  const matching = billers.filter(({ option }) => matches(option, parameters))
  const perPage = parameters.limit ?? Math.max(1, matching.length)
  const page = parameters.limit === null ? 1 : parameters.page
  const offset = (page - 1) * perPage
  const data = matching.slice(offset, offset + perPage).map(billerItem)
  const shown = { page, perPage, total: matching.length, shown: data.length }
  return { message, data, ...pageWrapper(path, shown, (target) => linkQuery(parameters, target)) }
}

function matches(
  option: EffectiveOption['option'],
  { billerCode, suggestedCategory }: BillersParameters,
): boolean {
  if (billerCode !== null && option.code !== billerCode) return false
  return suggestedCategory === null || option.suggestedCategory === suggestedCategory
}

function linkQuery({ billerCode, suggestedCategory, limit }: BillersParameters, page: number): string {
  const query = new URLSearchParams()
  if (billerCode !== null) query.set('biller_code', billerCode)
  if (limit !== null) query.set('limit', String(limit))
  query.set('page', String(page))
  if (suggestedCategory !== null) query.set('suggested_category', suggestedCategory)
  return query.toString()
}
