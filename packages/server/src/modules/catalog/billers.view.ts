import { billerItem } from './legacy.view.ts'
import type { BillersParameters } from './parameters.rules.ts'
import type { EffectiveOption } from './types.ts'

/** A page of billers with links to the others; without a limit everything is on one page. */
export function billersPage(
  message: string,
  path: string,
  billers: readonly EffectiveOption[],
  parameters: BillersParameters,
) {
  const matching = billers.filter(({ option }) => matches(option, parameters))
  const perPage = parameters.limit ?? Math.max(1, matching.length)
  const page = parameters.limit === null ? 1 : parameters.page
  const lastPage = Math.max(1, Math.ceil(matching.length / perPage))
  const offset = (page - 1) * perPage
  const data = matching.slice(offset, offset + perPage).map(billerItem)
  const link = (target: number) => `${path}?${linkQuery(parameters, target)}`
  return {
    message,
    data,
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: data.length === 0 ? null : offset + 1,
      last_page: lastPage,
      path,
      per_page: perPage,
      to: data.length === 0 ? null : offset + data.length,
      total: matching.length,
    },
  }
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
