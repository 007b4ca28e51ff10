import type { Language } from '@warung/forms/texts'
import type { Client } from '../api/client.ts'
import type { Kept, Navigation } from './kept.ts'
import type { State } from './types.ts'

/** Milestones that the page around the checkout hears of. */
export type Milestone = 'submitted' | 'cancelled' | 'completed' | 'error'

export type CheckoutDeps = {
  readonly client: Client
  readonly navigation: Navigation
  readonly kept: Kept
  /** Storage that outlives the order. */
  readonly device: Kept
  /** Language that the page asks for. The customer's own choice comes before it, and the order's language after it. */
  readonly language: Language | undefined
  /** Tells whether somebody looks at the page. */
  readonly isVisible: () => boolean
  readonly onChange: (state: State) => void
  readonly tell: (milestone: Milestone, detail: Readonly<Record<string, unknown>>) => void
}
