import type { ReactNode } from 'react'

export type SheetProps = {
  readonly title: string
  readonly about: ReactNode
  /** Sixths of the page's width. */
  readonly width?: 2 | 3 | 6
  readonly children: ReactNode
}

/** One component with its states. */
export function Sheet({ title, about, width = 3, children }: SheetProps) {
  return (
    <section className={`sheet w${width}`}>
      <h2>{title}</h2>
      <p>{about}</p>
      {children}
    </section>
  )
}
