import type { CheckoutSettings } from './types.ts'

export function settingsView({ displayName, allowedOrigins, acceptsLoss, theme }: CheckoutSettings) {
  return {
    display_name: displayName,
    allowed_origins: allowedOrigins,
    accepts_loss: acceptsLoss,
    theme: { ...theme },
  }
}
