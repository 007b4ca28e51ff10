import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import { DISPLAY_NAME, ORIGINS_MAX, originRule, THEME_RULES } from './rules.ts'

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

export const CheckoutSettings = Type.Object(
  {
    display_name: documentedAs(DISPLAY_NAME, Type.String({ description: 'Name that customers see' })),
    allowed_origins: Type.Array(documentedAs(originRule('staging'), Type.String()), {
      maxItems: ORIGINS_MAX,
      description: 'Sites that may embed the checkout: scheme, host and port',
    }),
    accepts_loss: Type.Boolean({
      description: 'Whether an order is confirmed even if it costs more than its locked price',
    }),
    theme: Theme,
  },
  { title: 'Checkout settings' },
)

export const CheckoutSettingsResponse = Type.Object(
  { data: CheckoutSettings },
  { title: 'Checkout settings response' },
)
