/** Options of a read by a component. */
export type ReadOptions = {
  /** False: nothing is asked, for instance until a field is filled. */
  readonly isEnabled?: boolean
  /** True: the former answer stays on the page while the next one is read. */
  readonly keepsFormer?: boolean
}
