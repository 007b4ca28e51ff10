import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '../api/query-client.ts'
import type { PageEntry } from '../shell/router.tsx'
import { makeRouter } from '../shell/router.tsx'
import { onLanguage } from '../text/language.ts'
import '../styles/index.css'

/** Starts one entry of the app in the page's frame. */
export function start(pages: readonly PageEntry[], Shell: () => ReactNode): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no root')
  const router = makeRouter(pages, Shell)
  const client = createQueryClient()
  // Texts of catalogues come in the language of the page.
  onLanguage(() => void client.invalidateQueries())
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
