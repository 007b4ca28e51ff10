import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { html } from './html.ts'
import { renderPage } from './page.ts'
import { PAGE_POLICY, STYLE } from './style.ts'

const EVIL = `<script>alert("x")</script>`
const PAGE = renderPage({ title: EVIL, description: EVIL, body: html`<h1>${EVIL}</h1>` })

describe('pages of the service itself', () => {
  it('carry exactly the style that their policy lets in', () => {
    const style = /<style>([^<]*)<\/style>/.exec(PAGE)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(PAGE_POLICY).toContain(`style-src 'sha256-${hash}'`)
    expect(PAGE_POLICY).toContain("default-src 'none'")
    expect(PAGE_POLICY).not.toContain('unsafe')
    expect(STYLE).not.toMatch(/url\(|@import|@font-face/i)
  })

  it('show values as text', () => {
    expect(PAGE).not.toContain('<script')
    expect(PAGE).toContain('&lt;script&gt;alert(&quot;x&quot;)')
  })

  it.each(['light', 'dark'] as const)('keep a contrast of 4.5 to 1 between text and ground, %s', (scheme) => {
    const [light = '', dark = ''] = STYLE.split('@media (prefers-color-scheme: dark)')
    const source = scheme === 'light' ? light : dark
    const colours = new Map(
      [...source.matchAll(/--(\w+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
    )
    for (const ground of ['page', 'raised']) {
      for (const text of ['text', 'quiet', 'accent']) {
        expect(contrast(colours.get(text), colours.get(ground)), text).toBeGreaterThanOrEqual(4.5)
      }
    }
  })
})

function contrast(first = '', second = ''): number {
  const [a, b] = [luminance(first), luminance(second)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [...colour.matchAll(/[0-9a-f]{2}/g)].map(([hex]) => {
    const channel = Number.parseInt(hex, 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
