export type PageShown = {
  /** Number of the page, from 1. */
  readonly page: number
  readonly perPage: number
  /** Number of all matches, on all pages. */
  readonly total: number
  /** Number of items on this page. */
  readonly shown: number
}

/** Builds the `links` and `meta` of a page for the contract's paged lists; they stay correct past the last page. */
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
