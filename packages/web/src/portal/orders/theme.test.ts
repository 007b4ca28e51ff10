import { describe, expect, it } from 'vitest'
import { contrast, inkOn, previewValues, readColour, UNCHOSEN, wholeColour } from './theme.ts'

describe('colours of a theme', () => {
  it('are read in both forms, and nothing else is a colour', () => {
    expect(readColour('#0a7')).toEqual([0, 170, 119])
    expect(readColour('#00AA77')).toEqual([0, 170, 119])
    for (const text of ['', '0a7', '#0a', '#0a77', '#xyz', 'red', '#0a7;']) {
      expect(readColour(text), text).toBeUndefined()
    }
    expect(wholeColour('#0a7')).toBe('#00aa77')
    expect(wholeColour('#0a')).toBe('#000000')
  })

  it('have the contrast of WCAG, in either order', () => {
    expect(contrast('#000', '#fff')).toBeCloseTo(21)
    expect(contrast('#777', '#fff')).toBeCloseTo(4.48, 2)
    expect(contrast('#fff', '#777')).toBeCloseTo(4.48, 2)
    expect(contrast('#fff', 'white')).toBeUndefined()
  })

  it('carry the ink that is read better on them', () => {
    expect(['#000', '#ffe066', '#0a5', '#123456'].map(inkOn)).toEqual(['#fff', '#000', '#000', '#fff'])
  })
})

describe('the preview of a theme', () => {
  it('shows the look of the checkout where the account has chosen none', () => {
    expect(previewValues(UNCHOSEN)).toMatchObject({
      '--preview-accent': 'var(--ink)',
      '--preview-background': 'var(--paper)',
      '--preview-font': 'inherit',
    })
  })

  it('shows what the account has chosen, and its grounds together with their text', () => {
    expect(
      previewValues({ ...UNCHOSEN, accent: '#123456', surface: '#eeeeee', font: 'serif' }),
    ).toMatchObject({
      '--preview-accent': '#123456',
      '--preview-on-accent': '#fff',
      '--preview-background': '#ffffff',
      '--preview-surface': '#eeeeee',
      '--preview-text': '#1a1a1a',
      '--preview-font': 'ui-serif, Georgia, serif',
    })
  })
})
