import { describe, expect, it } from 'vitest'
import { colourOf, contrast, inkOn } from './theme.ts'

describe('colours of a theme', () => {
  it('are read in both forms, and nothing else is a colour', () => {
    expect(colourOf('#0a7')).toBe('#00aa77')
    expect(colourOf('#00AA77')).toBe('#00aa77')
    for (const text of ['', '0a7', '#0a', '#0a77', '#xyz', 'red', '#0a7;', null]) {
      expect(colourOf(text), String(text)).toBeUndefined()
    }
  })

  it('have the contrast of WCAG, in either order', () => {
    expect(contrast('#000', '#fff')).toBeCloseTo(21)
    expect(contrast('#777', '#fff')).toBeCloseTo(4.48, 2)
    expect(contrast('#fff', '#777')).toBeCloseTo(4.48, 2)
    expect(contrast('#fff', 'white')).toBeUndefined()
  })

  it('carry the ink that is read better on them', () => {
    const inks = ['#000', '#ffe066', '#0a5', '#123456'].map(inkOn)
    expect(inks).toEqual(['#ffffff', '#000000', '#000000', '#ffffff'])
  })
})
