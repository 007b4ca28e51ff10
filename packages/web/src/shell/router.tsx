import type { AnyRoute } from '@tanstack/react-router'
import { createRootRoute, createRoute, createRouter, Outlet, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Suspense, use, useEffect } from 'react'
import { checkDownloads } from '../ui/download.ts'
import { Bones } from '../ui/loaded.tsx'
import { FailedPage, NotFoundPage } from './failed-page.tsx'
import { ignoreHeldEnter } from './held-enter.ts'
import { considerReload, removeFailedStyles } from './new-version.ts'
import { usePageHeading } from './page-heading.ts'
import type { PageModule } from './page-loader.ts'
import { createPageLoader } from './page-loader.ts'

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

/** Root of both entries: what holds on every page, with and without signing in. */
function Root() {
  const isConsole = useLocation({ select: ({ pathname }) => pathname.startsWith('/operator') })
  usePageHeading(isConsole)
  useEffect(ignoreHeldEnter, [])
  useEffect(removeFailedStyles, [])
  useEffect(checkDownloads, [])
  return <Outlet />
}

/**
 * Makes the component of a page whose module is loaded when it is opened. The router's own reloads the document when
 * that fails, which without a connection throws the whole app away; this one throws, so that the page says so.
 */
export function lazyPage<Props extends object>(load: () => Promise<PageModule<Props>>) {
  const loader = createPageLoader(load, considerReload)
  const Contents = (props: Props) => {
    const opened = loader.open()
    if (typeof opened !== 'function') use(opened)
    const Page = loader.open() as (props: Props) => ReactNode
    return <Page {...props} />
  }
  const LazyPage = (props: Props) => (
    <Suspense fallback={<Bones rows={8} />}>
      <Contents {...props} />
    </Suspense>
  )
  return Object.assign(LazyPage, { preload: loader.preload })
}
