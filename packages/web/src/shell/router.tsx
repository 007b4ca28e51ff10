import type { AnyRoute } from '@tanstack/react-router'
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FailedPage } from './failed-page.tsx'
import { lazyPage } from './lazy-page.tsx'
import { NotFoundPage } from './not-found.tsx'
import { Root } from './root.tsx'

/** Page of the app. The module is loaded when the page is opened, or when a link to it is pointed at. */
export type PageEntry = {
  readonly path: string
  readonly load: () => Promise<{ readonly Page: () => ReactNode }>
  /** True: shown without signing in, and without the side column. */
  readonly isPublic?: boolean
}

/** Makes the router of one entry from its table of pages. */
export function makeRouter(pages: readonly PageEntry[], Shell: () => ReactNode) {
  const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })
  const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Shell })
  const routeOf = (parent: AnyRoute, { path, load }: PageEntry) =>
    createRoute({ getParentRoute: () => parent, path, component: lazyPage(load) })
  const routeTree = root.addChildren([
    signedIn.addChildren(pages.filter((each) => !each.isPublic).map((each) => routeOf(signedIn, each))),
    ...pages.filter((each) => each.isPublic).map((each) => routeOf(root, each)),
  ])
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultErrorComponent: FailedPage,
    scrollRestoration: true,
    // Filters are plain text in the address: a refid of digits stays a text.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const query = new URLSearchParams()
      for (const [name, value] of Object.entries(search)) {
        if (value !== undefined && value !== '') query.set(name, String(value))
      }
      const text = query.toString()
      return text === '' ? '' : `?${text}`
    },
  })
}
