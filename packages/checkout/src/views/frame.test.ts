import { describe, expect, it } from 'vitest'
import { Problem } from '../api/client.ts'
import { textsIn } from '../text/languages.ts'
import { problemText } from './frame.tsx'

describe('a problem', () => {
  const text = textsIn('en')

  it('names the products of the basket that were refused', () => {
    const problem = new Problem('', { status: 422, code: 'invalid_items', lines: ['Bayu', 'Kita'] })
    expect(problemText(problem, text)).toContain('Bayu, Kita')
  })

  it('says that the shop is closed', () => {
    expect(problemText(new Problem('', { status: 409, code: 'shop_closed' }), text)).toBe(text.shopClosed)
  })
})
