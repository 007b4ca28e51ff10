import { UNCHOSEN } from '@warung/forms/theme'
import { describe, expect, it } from 'vitest'
import { previewValues, wholeColour } from './theme.ts'

it('a colour is whole for the picker, and black where it is none', () => {
  expect(wholeColour('#0a7')).toBe('#00aa77')
  expect(wholeColour('#0a')).toBe('#000000')
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
      '--preview-on-accent': '#ffffff',
      '--preview-background': '#ffffff',
      '--preview-surface': '#eeeeee',
      '--preview-text': '#1a1a1a',
      '--preview-font': 'ui-serif, Georgia, serif',
    })
  })
})
