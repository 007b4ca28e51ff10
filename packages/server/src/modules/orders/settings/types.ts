export const FONTS = ['system', 'serif', 'rounded', 'mono'] as const
export type Font = (typeof FONTS)[number]

/** Design tokens of the checkout. Each has a strict form: they become values of CSS properties, never CSS text. */
export type Theme = {
  /** Colours as #rgb or #rrggbb. */
  readonly accent: string
  readonly background: string
  readonly surface: string
  readonly text: string
  /** From 0px to 24px. */
  readonly radius: string
  readonly font: Font
}

export type CheckoutSettings = {
  /** Name that customers see. */
  readonly displayName: string
  /** Origins of sites that may show the checkout in a frame and call its API. */
  readonly allowedOrigins: readonly string[]
  /** True: an order is confirmed even if it costs more than its locked price. */
  readonly acceptsLoss: boolean
  readonly theme: Theme
}
