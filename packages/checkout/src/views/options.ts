export type FrameOptions = {
  /** Level of the first heading: 1 on the hosted page, 2 inside somebody's page. */
  readonly level: 1 | 2
  readonly origin: string
  /** Moves the focus to the element with this id, once it is drawn. */
  readonly focusOn: (id: string) => void
  readonly pay: (event: Event) => void
}
