import { describe, expect, it } from 'vitest'
import { dayText, openText } from './format.ts'
import { textsIn } from './languages.ts'

describe('a day', () => {
  it("is written in the reader's language, in both forms that suppliers use", () => {
    expect(dayText('2027-11-17', 'en')).toBe('17 Nov 2027')
    expect(dayText('20271117', 'en')).toBe('17 Nov 2027')
    expect(dayText('20271117', 'ms')).toBe('17 Nov 2027')
  })

  it('stays as it is in any other form', () => {
    for (const day of ['', 'end of month', '17/11/2027', '20271345', '2027111']) {
      expect(dayText(day, 'en'), day).toBe(day)
    }
  })
})

describe('the time that an order stays open', () => {
  it('says in Malay that the order is still open, and not that it opens later', () => {
    const text = textsIn('ms')
    for (const leftMs of [3 * 3_600_000, 29 * 60_000, 5_000]) {
      expect(openText(leftMs, text)).toMatch(/^Masih terbuka/)
    }
  })
})
