import type { Html } from './html.generated.ts'

/** Page of the site before it is rendered. */
export type Page = {
  /** Place on the site: `quick-start`, `reference/pay`; `index` is the first page. */
  readonly path: string
  readonly title: string
  /** Group of the navigation to which it belongs. */
  readonly group: string
  /** Title above it in the navigation of its group; empty: none. */
  readonly heading: string
  readonly description: string
  /** Text, with links to files of the repository where `source` is given, to the site elsewhere. */
  readonly markdown: string
  /** File of the repository that it was made from. */
  readonly source?: string
  /** Method of the operation, for the mark in the navigation. */
  readonly method?: string
  /** Part that only the page has, and not its Markdown twin. */
  readonly form?: Html
}
