import { colourOf, FONT_FAMILIES, inkOn, UNCHOSEN } from '@warung/forms/theme'
import type { PortalOperations } from '../../api/portal.ts'

export type CheckoutSettings = PortalOperations['portalGetCheckoutSettings']['answer']['data']
export type Theme = CheckoutSettings['theme']

export const FONTS = ['system', 'serif', 'rounded', 'mono'] as const satisfies readonly Theme['font'][]

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

/** Writes a colour as #rrggbb, which the browser's colour picker wants; black for a text that is none. */
export function wholeColour(text: string): string {
  return colourOf(text) ?? '#000000'
}
