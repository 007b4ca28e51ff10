import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { documentedAs } from '../../../http/parameters.ts'
import { DISPLAY_NAME, ORIGINS_MAX, originRule, THEME_RULES } from './rules.ts'
import type { CheckoutSettings } from './types.ts'

const Theme = Type.Object(
  {
    accent: documentedAs(THEME_RULES.accent, Type.String()),
    background: documentedAs(THEME_RULES.background, Type.String()),
    surface: documentedAs(THEME_RULES.surface, Type.String()),
    text: documentedAs(THEME_RULES.text, Type.String()),
    radius: documentedAs(THEME_RULES.radius, Type.String()),
    font: documentedAs(THEME_RULES.font, Type.String()),
  },
  { title: 'Checkout theme', description: 'Design tokens of the page and of the component' },
)

/** Settings of a reseller's checkout. */
export const CHECKOUT_SETTINGS = resource<CheckoutSettings>()('Checkout settings', {
  display_name: [
    documentedAs(DISPLAY_NAME, Type.String({ description: 'Name that customers see' })),
    ({ displayName }) => displayName,
  ],
  allowed_origins: [
    Type.Array(documentedAs(originRule('staging'), Type.String()), {
      maxItems: ORIGINS_MAX,
      description: 'Sites that may embed the checkout: scheme, host and port',
    }),
    ({ allowedOrigins }) => [...allowedOrigins],
  ],
  accepts_loss: [
    Type.Boolean({
      description: 'Whether an order is confirmed even if it costs more than its locked price',
    }),
    ({ acceptsLoss }) => acceptsLoss,
  ],
  theme: [Theme, ({ theme }) => ({ ...theme })],
})

export const CheckoutSettingsResponse = Type.Object(
  { data: CHECKOUT_SETTINGS.schema },
  { title: 'Checkout settings response' },
)
