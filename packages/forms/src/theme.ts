// Design tokens of a shop, as the checkout draws them and the portal previews them.

/** Families of the fonts that a shop can choose. */
export const FONT_FAMILIES = {
  system: 'ui-sans-serif, system-ui, sans-serif',
  serif: 'ui-serif, Georgia, serif',
  rounded: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, system-ui, sans-serif',
  mono: 'ui-monospace, monospace',
} as const

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

/** Least contrast of text that everybody can read. */
export const CONTRAST_MIN = 4.5

/** Reads #rgb or #rrggbb as #rrggbb; undefined for anything else. */
export function colourOf(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^#(?:[0-9a-f]{3}){1,2}$/i.test(text)) return undefined
  const hex = text.slice(1).toLowerCase()
  return `#${hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex}`
}

/** Contrast of two colours by WCAG, from 1 to 21; undefined if one of them is none. */
export function contrast(one: string, other: string): number | undefined {
  const [first, second] = [luminance(one), luminance(other)]
  if (first === undefined || second === undefined) return undefined
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

export function isReadable(words: string, ground: string): boolean {
  return (contrast(words, ground) ?? 0) >= CONTRAST_MIN
}

/** Black or white, whichever is read better on a colour. */
export function inkOn(colour: string): string {
  const [white = 0, black = 0] = ['#ffffff', '#000000'].map((ink) => contrast(colour, ink))
  return white >= black ? '#ffffff' : '#000000'
}

/** Luminance of a colour by WCAG, from 0 to 1. */
export function luminance(text: string): number | undefined {
  const colour = colourOf(text)
  if (colour === undefined) return undefined
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
