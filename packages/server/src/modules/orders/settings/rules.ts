import { fieldErrorsOf, invalidFields } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { oneOf, pattern, readFields, text, textRule } from '../../../lib/input/fields.ts'
import { parseWebUrl } from '../../../lib/input/urls.ts'
import type { CheckoutSettings, Theme } from './types.ts'
import { FONTS } from './types.ts'

export const DISPLAY_NAME = text(1, 60)
export const ORIGINS_MAX = 20
const ORIGIN_LENGTH_MAX = 200

/** Origin of a site: scheme, host and port. http is for staging. */
export function originRule(environment: 'staging' | 'production'): Rule<string> {
  const isStaging = environment === 'staging'
  return textRule({
    message: `must be an origin such as https://shop.example${isStaging ? ' (in staging also http)' : ''}`,
    schema: { maxLength: ORIGIN_LENGTH_MAX },
    parse(given) {
      const url = given.length <= ORIGIN_LENGTH_MAX ? parseWebUrl(given) : undefined
      if (url === undefined || (url.protocol !== 'https:' && !isStaging)) return undefined
      // A trailing slash is the only other spelling that people copy from the address bar.
      return given.replace(/\/$/, '').toLowerCase() === url.origin ? url.origin : undefined
    },
  })
}

const COLOUR = pattern('must be a colour such as #0a7 or #00aa77', /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)
const RADIUS = pattern('must be from 0px to 24px', /^(?:\d|1\d|2[0-4])px$/)

export const THEME_RULES = {
  accent: COLOUR,
  background: COLOUR,
  surface: COLOUR,
  text: COLOUR,
  radius: RADIUS,
  font: oneOf(FONTS),
}

/** Theme of an account that has chosen none. */
export const THEME_AT_FIRST: Theme = {
  accent: '#0a7d55',
  background: '#ffffff',
  surface: '#ffffff',
  text: '#1a1a1a',
  radius: '8px',
  font: 'system',
}

export function settingsAtFirst(name: string): CheckoutSettings {
  return { displayName: name, allowedOrigins: [], acceptsLoss: false, theme: THEME_AT_FIRST }
}

/** Tells whether settings let a further site sell, or accept a loss that was not accepted before. */
export function letsMoreIn(before: CheckoutSettings, after: CheckoutSettings): boolean {
  const isNew = (origin: string) => !before.allowedOrigins.includes(origin)
  return after.allowedOrigins.some(isNew) || (after.acceptsLoss && !before.acceptsLoss)
}

export type SettingsWire = {
  readonly display_name: string
  readonly allowed_origins: readonly string[]
  readonly accepts_loss: boolean
  readonly theme: Readonly<Record<keyof Theme, string>>
}

export function readSettings(wire: SettingsWire, environment: 'staging' | 'production'): CheckoutSettings {
  const rule = originRule(environment)
  const origins = wire.allowed_origins.map((given) => rule.read(given))
  const problems = origins.flatMap((origin, index) =>
    origin === undefined ? [[`allowed_origins.${index}`, rule.message] as const] : [],
  )
  const theme = Object.entries(THEME_RULES).flatMap(([name, each]) =>
    each.read(wire.theme[name as keyof Theme]) === undefined
      ? [[`theme.${name}`, each.message] as const]
      : [],
  )
  if (problems.length + theme.length > 0) throw invalidFields(fieldErrorsOf([...problems, ...theme]))
  const { displayName } = readFields({ displayName: DISPLAY_NAME }, { displayName: wire.display_name })
  return {
    displayName,
    allowedOrigins: [...new Set(origins.filter((origin) => origin !== undefined))],
    acceptsLoss: wire.accepts_loss,
    theme: readFields(THEME_RULES, wire.theme),
  }
}
