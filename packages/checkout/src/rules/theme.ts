import type { ThemeTokens } from '../api/wire.ts'

// Design tokens of a shop. They are data of somebody else: each has one strict form, and anything else is left out, so
// that no text of a shop ever becomes CSS.

const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
const RADIUS = /^(\d{1,2})px$/
const RADIUS_PX_MAX = 24
const FONTS: Readonly<Record<string, string>> = {
  system: 'ui-sans-serif, system-ui, sans-serif',
  serif: 'ui-serif, Georgia, serif',
  rounded: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, system-ui, sans-serif',
  mono: 'ui-monospace, monospace',
}

/** Grounds on which an accent is read when the shop names none, as in the style sheet. */
const SURFACES = { light: '#ffffff', dark: '#1d1815' } as const
const READABLE = 4.5

/**
 * Theme that the service gives an account which has chosen none. Such an account has the checkout's own look, in light
 * and in dark.
 */
export const UNCHOSEN = {
  accent: '#0a7d55',
  background: '#ffffff',
  surface: '#ffffff',
  text: '#1a1a1a',
  radius: '8px',
  font: 'system',
} as const

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
  if (ground !== undefined) properties['color-scheme'] = luminance(ground) > 0.4 ? 'light' : 'dark'
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
  const isReadable = text !== undefined && grounds.every((ground) => contrast(text, ground) >= READABLE)
  return {
    background,
    surface,
    text: isReadable && grounds.length > 0 ? text : undefined,
    accent: colourOf(theme.accent),
  }
}

/** Accent that fills buttons, and words in the accent where those can be read on their ground. */
function accentProperties(accent: string, surface: string | undefined): Record<string, string> {
  const onAccent = contrast('#ffffff', accent) >= contrast('#000000', accent) ? '#ffffff' : '#000000'
  const words = (ground: string) => (contrast(accent, ground) >= READABLE ? accent : undefined)
  const light = words(surface ?? SURFACES.light) ?? 'var(--ink)'
  const dark = words(surface ?? SURFACES.dark) ?? 'var(--ink)'
  return {
    '--own-accent': accent,
    '--own-on-accent': onAccent,
    '--own-link': light === dark ? light : `light-dark(${light}, ${dark})`,
  }
}

function colourOf(text: string | null | undefined): string | undefined {
  if (typeof text !== 'string' || !COLOUR.test(text)) return undefined
  const hex = text.slice(1).toLowerCase()
  return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`
}

/** Contrast of two colours as WCAG defines it, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
