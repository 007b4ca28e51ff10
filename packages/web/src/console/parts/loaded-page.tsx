import type { ReactNode } from 'react'
import type { Reading } from '../../ui/loaded.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/panel.tsx'

export type LoadedPageProps<T> = {
  readonly reading: Reading<T>
  /** Title of the page when the thing that it is about could not be read. */
  readonly title: string
  readonly children: (data: T) => ReactNode
}

/** Page about one thing: without it the page still has a title, and says why. */
export function LoadedPage<T>({ reading, title, children }: LoadedPageProps<T>) {
  const isMissing = reading.data === undefined && reading.error !== null
  return (
    <>
      {isMissing ? <PageHead title={title} /> : null}
      <Loaded reading={reading} bones={8}>
        {children}
      </Loaded>
    </>
  )
}
