import type { ReactNode } from 'react'
import { Suspense, use } from 'react'
import { Bones } from '../ui/loaded.tsx'
import { considerReload } from './new-version.ts'
import type { PageModule } from './page-loader.ts'
import { createPageLoader } from './page-loader.ts'

/**
 * Makes the component of a page whose module is loaded when it is opened. The router's own reloads the document when
 * that fails, which without a connection throws the whole app away; this one throws, so that the page says so.
 */
export function lazyPage(load: () => Promise<PageModule>) {
  const loader = createPageLoader(load, considerReload)
  const Contents = () => {
    const opened = loader.open()
    if (typeof opened !== 'function') use(opened)
    const Page = loader.open() as () => ReactNode
    return <Page />
  }
  const LazyPage = () => (
    <Suspense fallback={<Bones rows={8} />}>
      <Contents />
    </Suspense>
  )
  return Object.assign(LazyPage, { preload: loader.preload })
}
