import { colourOf, FONT_FAMILIES, inkOn, isReadable, luminance, UNCHOSEN } from '@warung/forms/theme'
import type { ThemeTokens } from '../api/wire.ts'

// Design tokens of a shop. They are data of somebody else: each has one strict form, and anything else is left out, so
// that no text of a shop ever becomes CSS.

const RADIUS = /^(\d{1,2})px$/
const RADIUS_PX_MAX = 24
const FONTS: Readonly<Record<string, string>> = FONT_FAMILIES

/** Grounds on which an accent is read when the shop names none, as in the style sheet. */
const SURFACES = { light: '#ffffff', dark: '#1d1815' } as const

/** Returns the theme without the parts that the account has not chosen. Grounds and their text belong together. */
function chosenOf(theme: ThemeTokens): ThemeTokens {
  const isSame = (name: keyof ThemeTokens) => theme[name] === UNCHOSEN[name]
  const areGroundsSame = isSame('background') && isSame('surface') && isSame('text')
  const { accent, background, surface, text, radius, font } = theme
  return {
    ...(isSame('accent') ? {} : { accent: accent ?? null }),
    ...(areGroundsSame
      ? {}
      : { background: background ?? null, surface: surface ?? null, text: text ?? null }),
    radius: radius ?? null,
    font: font ?? null,
  }
}

/** Returns the CSS properties of a shop's theme, by their names. A page's own `--warung-…` properties come first. */
export function themeProperties(given: ThemeTokens | null): Record<string, string> {
  if (given === null) return {}
  const theme = chosenOf(given)
  const properties: Record<string, string> = {}
  const { background, surface, text, accent } = coloursOf(theme)
  if (background !== undefined) properties['--own-paper'] = background
  if (surface !== undefined) properties['--own-surface'] = surface
  if (text !== undefined) properties['--own-ink'] = text
  if (accent !== undefined) Object.assign(properties, accentProperties(accent, surface))
  // Named grounds hold in light and dark: the states' colours follow the ground and not the system.
  const ground = surface ?? background
  if (ground !== undefined) properties['color-scheme'] = (luminance(ground) ?? 0) > 0.4 ? 'light' : 'dark'
  const radius = RADIUS.exec(theme.radius ?? '')?.[1]
  if (radius !== undefined && Number(radius) <= RADIUS_PX_MAX) properties['--own-radius'] = `${radius}px`
  const font = Object.hasOwn(FONTS, theme.font ?? '') ? FONTS[theme.font ?? ''] : undefined
  if (font !== undefined && theme.font !== 'system') properties['--own-font'] = font
  return properties
}

/** Colours of the theme that can be read together; a text that vanishes on its ground is not taken. */
function coloursOf(theme: ThemeTokens) {
  const background = colourOf(theme.background)
  const surface = colourOf(theme.surface) ?? background
  const text = colourOf(theme.text)
  const grounds = [background, surface].filter((each) => each !== undefined)
  const canBeRead = text !== undefined && grounds.every((ground) => isReadable(text, ground))
  return {
    background,
    surface,
    text: canBeRead && grounds.length > 0 ? text : undefined,
    accent: colourOf(theme.accent),
  }
}

/** Accent that fills buttons, and words in the accent where those can be read on their ground. */
function accentProperties(accent: string, surface: string | undefined): Record<string, string> {
  const words = (ground: string) => (isReadable(accent, ground) ? accent : undefined)
  const light = words(surface ?? SURFACES.light) ?? 'var(--ink)'
  const dark = words(surface ?? SURFACES.dark) ?? 'var(--ink)'
  return {
    '--own-accent': accent,
    '--own-on-accent': inkOn(accent),
    '--own-link': light === dark ? light : `light-dark(${light}, ${dark})`,
  }
}
