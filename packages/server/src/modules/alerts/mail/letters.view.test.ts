import { describe, expect, it } from 'vitest'
import { alertLetter, htmlOf, letterOf } from './letters.view.ts'
import type { Notice, NoticeKind } from './mail.types.ts'

const CONTEXT = { account: '1234567', name: 'Kedai Pos', perDay: undefined, earlier: 0 }
const CREATED_AT = new Date('2026-11-14T17:30:00Z')

function notice(kind: NoticeKind, data: Record<string, unknown>): Notice {
  return { id: 1n, resellerId: 1n, kind, data, createdAt: CREATED_AT, isHeld: false }
}

describe('the forecast', () => {
  const low = (balance: number, perDay: bigint) =>
    letterOf(notice('balance.low', { threshold: 1_000_000, balance, at: '2026-11-14T17:30:00Z' }), {
      ...CONTEXT,
      perDay,
    }).body

  it.each([
    [999_900, 500_000n, 'about 1 day at the present rate of MYR 50.00 a day'],
    [3_000_000, 1_000_000n, 'about 3 days at the present rate of MYR 100.00 a day'],
    [499_999, 500_000n, 'less than a day at the present rate of MYR 50.00 a day'],
    [999_900, 1n, 'more than a year at the present rate of MYR 0.00 a day'],
    [999_900, 123_456n, 'about 8 days at the present rate of MYR 12.35 a day'],
  ])('the forecast of %d units at %d a day is %s', (balance, perDay, words) => {
    expect(low(balance, perDay)).toContain(`\nLasts: ${words}\n`)
  })

  it('is not given when there is no trade', () => {
    const { body } = letterOf(
      notice('balance.low', { threshold: 20_000, balance: 1, at: CREATED_AT.toJSON() }),
      CONTEXT,
    )
    expect(body).not.toContain('Lasts')
    expect(body).toContain('Time: 2026-11-15 01:30:00 GMT+8')
  })
})

describe('a mail about an endpoint', () => {
  it.each(['delivery.failed', 'endpoint.paused'] as const)(
    '(%s) shows neither query nor credentials',
    (kind) => {
      const url = 'https://user:pass@shop.example:8443/hooks/one?token=secret#top'
      const data = { stream: 'callback', url, error: 'HTTP 500', since: '2026-11-14T16:00:00+00:00' }
      const { subject, body } = letterOf(notice(kind, data), CONTEXT)
      expect(subject).toContain('Transaction callbacks')
      expect(body).toContain('Sent to: https://shop.example:8443/hooks/one\nError: HTTP 500\n')
      expect(body).toContain('Failing since: 2026-11-15 00:00:00 GMT+8')
      expect(subject + body).not.toMatch(/pass|secret|token|top\b/)
    },
  )
})

it('a case is told by its number, state and last message', () => {
  const message = 'We asked the biller.\r\nPlease wait.'
  const data = { number: 'C42', kind: 'void', refid: 'order-7', state: 'in_progress', message }
  const { subject, body } = letterOf(notice('case', data), CONTEXT)
  expect(subject).toBe('Case C42 is in progress (account 1234567)')
  expect(body).toContain(
    'Request: void\nReference: order-7\nState: in progress\nMessage: We asked the biller. Please wait.\n',
  )
})

it('names and errors stay on one line, in subject and text', () => {
  const data = {
    stream: 'balance',
    url: 'https://shop.example/',
    error: 'HTTP 500\r\n\r\nTop up here: evil.example',
  }
  const { body } = letterOf(notice('delivery.failed', data), { ...CONTEXT, name: 'Kedai\nPos' })
  expect(body).toContain('Kedai Pos (account 1234567)')
  expect(body).toContain('Error: HTTP 500 Top up here: evil.example\n')
})

it('an alert stays on one line too', () => {
  const alert = {
    kind: 'float_low',
    subject: 'acme',
    text: 'Low\r\nBcc: x@example.com',
    severity: 'critical' as const,
  }
  const times = { raisedAt: CREATED_AT, lastSeenAt: CREATED_AT, clearedAt: null, times: 1n, id: 1n }
  const { subject, body } = alertLetter([{ ...alert, ...times }], (path) => `https://pay.example.com${path}`)
  expect(subject).toBe('Alert: Low Bcc: x@example.com')
  expect(body).toContain('\nRunbook: https://pay.example.com/docs/operators/runbooks#float_low\n')
})

it('the HTML form escapes everything that the text says', () => {
  expect(htmlOf('One <b>\n& two\n\n"Three"\n')).toContain(
    '<p>One &lt;b&gt;<br>\n&amp; two</p>\n<p>&quot;Three&quot;</p>',
  )
})

it.each([
  ['ms', 'Baki di bawah MYR 100.00: tinggal MYR 99.99 (akaun 1234567)', 'Bertahan: kira-kira 3 hari'],
  ['id', 'Saldo di bawah MYR 100.00: tersisa MYR 99.99 (akun 1234567)', 'Bertahan: sekitar 3 hari'],
  ['zh', '余额低于 MYR 100.00：剩余 MYR 99.99 （账户 1234567）', '可用: 约 3 天'],
  ['ta', 'இருப்பு MYR 100.00 இற்குக் கீழ்: மீதம் MYR 99.99 (கணக்கு 1234567)', 'சுமார் 3 நாள்'],
] as const)('a mail in %s has the same amounts and times in other words', (language, subject, forecast) => {
  const data = { threshold: 1_000_000, balance: 999_900, at: '2026-11-14T17:30:00Z' }
  const context = { ...CONTEXT, perDay: 300_000n, earlier: 2 }
  const letter = letterOf(notice('balance.low', data), context, language)
  expect(letter.subject).toBe(subject)
  expect(letter.body).toContain(forecast)
  expect(letter.body).toContain('2026-11-15 01:30:00 GMT+8')
})
