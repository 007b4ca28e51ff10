import type { PortalOperations } from '../../api/portal.ts'

export type CheckoutSettings = PortalOperations['portalGetCheckoutSettings']['answer']['data']
export type Theme = CheckoutSettings['theme']

export const FONTS = ['system', 'serif', 'rounded', 'mono'] as const satisfies readonly Theme['font'][]

/** Families of the fonts, as the checkout has them. */
const FONT_FAMILIES: Readonly<Record<Theme['font'], string>> = {
  system: 'ui-sans-serif, system-ui, sans-serif',
  serif: 'ui-serif, Georgia, serif',
  rounded: 'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, system-ui, sans-serif',
  mono: 'ui-monospace, monospace',
}

/** Theme that the service gives an account which has chosen none. The checkout then has its own look. */
export const UNCHOSEN: Theme = {
  accent: '#0a7d55',
  background: '#ffffff',
  surface: '#ffffff',
  text: '#1a1a1a',
  radius: '8px',
  font: 'system',
}

/**
 * Values of the preview. Parts that the account has not chosen have the checkout's own look, which is the dashboard's;
 * grounds and their text belong together.
 */
export function previewValues(theme: Theme): Record<`--preview-${string}`, string> {
  const isOwn = (...names: (keyof Theme)[]) => names.every((name) => theme[name] === UNCHOSEN[name])
  const { background, surface, text } = isOwn('background', 'surface', 'text')
    ? { background: 'var(--paper)', surface: 'var(--surface)', text: 'var(--ink)' }
    : theme
  const isAccentOwn = isOwn('accent')
  return {
    '--preview-accent': isAccentOwn ? text : theme.accent,
    '--preview-on-accent': isAccentOwn ? surface : inkOn(theme.accent),
    '--preview-background': background,
    '--preview-surface': surface,
    '--preview-text': text,
    '--preview-radius': theme.radius,
    '--preview-font': theme.font === 'system' ? 'inherit' : FONT_FAMILIES[theme.font],
  }
}

/** Least contrast of text that everybody can read. */
export const CONTRAST_MIN = 4.5

type Colour = readonly [red: number, green: number, blue: number]

/** Reads #rgb or #rrggbb; undefined for anything else. */
export function readColour(text: string): Colour | undefined {
  const digits = /^#(?:[0-9a-f]{3}){1,2}$/i.test(text) ? text.slice(1) : undefined
  if (digits === undefined) return undefined
  const width = digits.length / 3
  const part = (index: number) => {
    const own = digits.slice(index * width, (index + 1) * width)
    return Number.parseInt(width === 1 ? own + own : own, 16)
  }
  return [part(0), part(1), part(2)]
}

/** Writes a colour as #rrggbb, which the browser's colour picker wants; black for a text that is none. */
export function wholeColour(text: string): string {
  const parts = readColour(text) ?? [0, 0, 0]
  return `#${parts.map((each) => each.toString(16).padStart(2, '0')).join('')}`
}

/** Contrast of two colours by WCAG, from 1 to 21; undefined if one of them is none. */
export function contrast(one: string, other: string): number | undefined {
  const [first, second] = [readColour(one), readColour(other)]
  if (first === undefined || second === undefined) return undefined
  const [light, dark] = [luminance(first), luminance(second)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((each) => {
    const share = each / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Black or white, whichever is read better on a colour. */
export function inkOn(colour: string): string {
  return (contrast(colour, '#fff') ?? 0) >= (contrast(colour, '#000') ?? 0) ? '#fff' : '#000'
}
