import { contrast } from '@warung/forms/theme'
import { describe, expect, it } from 'vitest'
import { themeProperties } from './theme.ts'

describe("a shop's theme", () => {
  it('becomes properties with strict values', () => {
    const theme = {
      accent: '#0A7',
      background: '#fff',
      surface: '#ffffff',
      text: '#111',
      radius: '8px',
      font: 'mono',
    }
    expect(themeProperties(theme)).toEqual({
      '--own-paper': '#ffffff',
      '--own-surface': '#ffffff',
      '--own-ink': '#111111',
      '--own-accent': '#00aa77',
      '--own-on-accent': '#000000',
      '--own-link': 'var(--ink)',
      'color-scheme': 'light',
      '--own-radius': '8px',
      '--own-font': 'ui-monospace, monospace',
    })
  })

  it.each([
    ['red'],
    ['#12345'],
    ['#fff;}*{display:none'],
    ['url(https://evil.example)'],
    ['var(--x)'],
    [''],
    [null],
  ])('never lets %s into the style', (hostile) => {
    const theme = {
      accent: hostile,
      background: hostile,
      surface: hostile,
      text: hostile,
      radius: hostile,
      font: hostile,
    }
    expect(themeProperties(theme)).toEqual({})
    expect(themeProperties({ font: 'constructor', radius: '25px' })).toEqual({})
  })

  it('leaves the look to light and dark where the account has chosen none', () => {
    const first = { background: '#ffffff', surface: '#ffffff', text: '#1a1a1a', font: 'system' }
    expect(themeProperties({ ...first, accent: '#0a7d55', radius: '8px' })).toEqual({ '--own-radius': '8px' })
    expect(themeProperties({ ...first, accent: '#0000ff' })).toMatchObject({ '--own-accent': '#0000ff' })
    expect(themeProperties({ ...first, accent: '#0000ff' })['color-scheme']).toBeUndefined()
  })

  it('is left out where its text could not be read', () => {
    expect(themeProperties({ background: '#ffffff', text: '#eeeeee' })['--own-ink']).toBeUndefined()
    expect(themeProperties({ background: '#101010', text: '#eeeeee' })).toMatchObject({
      '--own-ink': '#eeeeee',
      'color-scheme': 'dark',
    })
    // Without a ground of its own, a text would meet a dark page as well as a light one.
    expect(themeProperties({ text: '#111111' })).toEqual({})
  })

  it.each(['#000000', '#ffff00', '#a4461c', '#0000ff', '#808080', '#ffffff'])(
    'words on a button of %s can be read, and so can words in it',
    (accent) => {
      const properties = themeProperties({ accent })
      expect(contrast(accent, properties['--own-on-accent'] ?? '')).toBeGreaterThanOrEqual(4.5)
      const words = /light-dark\((.+), (.+)\)/.exec(properties['--own-link'] ?? '')?.slice(1)
      const [light = properties['--own-link'], dark = properties['--own-link']] = words ?? []
      if (light === accent) expect(contrast(accent, '#ffffff')).toBeGreaterThanOrEqual(4.5)
      if (dark === accent) expect(contrast(accent, '#1d1815')).toBeGreaterThanOrEqual(4.5)
    },
  )
})
