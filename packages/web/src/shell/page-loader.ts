import type { ReactNode } from 'react'

export type PageModule<Props = object> = { readonly Page: (props: Props) => ReactNode }

type PageLoader<Props> = {
  /** Loads the module ahead. A failure is not told: the page may load by the time it is opened. */
  preload(): Promise<void>
  /** Returns the page, or a promise that the page waits for. It rejects with `PageNotLoaded`. */
  open(): PageModule<Props>['Page'] | Promise<void>
}

/** Error of a page whose module did not arrive. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded'
  /** Has the next attempt load the module anew. */
  readonly forget: () => void

  constructor(cause: unknown, forget: () => void) {
    super(String(cause), { cause })
    this.forget = forget
  }
}

/** Loads the module of a page once; after a failure again, when the page is asked for again. */
export function createPageLoader<Props>(
  load: () => Promise<PageModule<Props>>,
  onFailure: (isRepeated: boolean) => Promise<void>,
): PageLoader<Props> {
  let page: PageModule<Props>['Page'] | undefined
  let loading: Promise<void> | undefined
  let opening: Promise<void> | undefined
  let failures = 0
  const arrive = () => {
    loading ??= load()
      .then((module) => {
        page = module.Page
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  const forget = () => {
    opening = undefined
  }
  const arriveOrFail = async () => {
    try {
      await arrive()
    } catch (error) {
      failures += 1
      await onFailure(failures > 1)
      throw new PageNotLoaded(error, forget)
    }
  }
  return {
    preload: () => (page === undefined ? arrive().catch(() => undefined) : Promise.resolve()),
    open() {
      if (page !== undefined) return page
      opening ??= arriveOrFail()
      return opening
    },
  }
}
