import { describe, expect, it } from 'vitest'
import { redact, redactCallback } from './redaction.rules.ts'

const TOLD = 'the supplier gave a reason that holds a secret'
const said = (reason: string, ...hidden: string[]) => redact({ reason }, hidden).reason

describe('a supplier’s words', () => {
  it('are passed on when they tell nothing, cut to a bounded length and never within a character', () => {
    expect(said('number unknown', 'hunter2hunter2', '900101145678')).toBe('number unknown')
    expect(said('x'.repeat(1_000))).toHaveLength(200)
    expect(said(`${'x'.repeat(199)}🙂`)).toBe('x'.repeat(199))
  })

  it.each([
    ['as it is', 'key hunter2hunter2 is wrong', 'hunter2hunter2'],
    ['with dashes that were not sent', 'IC 900101-14-5678', '900101145678'],
    ['without dashes that were sent', 'IC 900101145678', '900101-14-5678'],
    ['with spaces', 'IC 900101 14 5678', '900101145678'],
    ['in capitals', 'KEY HUNTER2HUNTER2', 'hunter2hunter2'],
    ['across the end of what is kept', `${'x'.repeat(190)} hunter2hunter2`, 'hunter2hunter2'],
  ])('are not when they hold a secret %s', (_, reason, secret) => {
    expect(said(reason, secret)).toBe(TOLD)
  })

  it('are no secret for holding something very short by chance', () => {
    expect(said('code 12 3', '12', '1-2-3')).toBe('code 12 3')
  })

  it('inside of a callback’s outcome are words too', () => {
    const outcome = { kind: 'failed', code: 48, reason: 'key hunter2hunter2' } as const
    const news = { kind: 'news', id: 'i', reference: 'r', outcome, claimedAmount: null } as const
    expect(redactCallback(news, ['hunter2hunter2'])).toEqual({
      ...news,
      outcome: { ...outcome, reason: TOLD },
    })
  })
})
