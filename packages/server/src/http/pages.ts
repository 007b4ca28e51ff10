export type PageShown = {
  /** From 1 */
  readonly page: number
  readonly perPage: number
  /** Everything that matches, on all pages. */
  readonly total: number
  /** Items on this page. */
  readonly shown: number
}

/** The `links` and `meta` of a page, as the contract's paged lists have them; past the end they stay honest. */
export function pageWrapper(
  path: string,
  { page, perPage, total, shown }: PageShown,
  queryOf: (page: number) => URLSearchParams | string,
) {
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const passedOver = (page - 1) * perPage
  const link = (target: number) => `${path}?${queryOf(target)}`
  return {
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: shown === 0 ? null : passedOver + 1,
      last_page: lastPage,
      path,
      per_page: perPage,
      to: shown === 0 ? null : passedOver + shown,
      total,
    },
  }
}
