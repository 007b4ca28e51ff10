import type { Language } from '@warung/forms/texts'
import type { Texts } from './messages.ts'

/** Writes an amount as customers in Malaysia read it, RM 1,234.50, digit by digit: no figure is rounded. */
export function moneyText(amount: string, currency = 'MYR'): string {
  const [, minus = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  const sign = currency === 'MYR' ? 'RM' : currency
  if (whole === '') return `${sign} ${amount}`
  const beyond = fraction.slice(2).replace(/0+$/, '')
  const sen = fraction.slice(0, 2).padEnd(2, '0')
  return `${sign} ${minus === '' ? '' : '−'}${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}.${sen}${beyond}`
}

const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  ms: 'ms-MY',
  id: 'id-ID',
  zh: 'zh-CN',
  ta: 'ta-MY',
}

/** Writes 2027-11-17 and 20271117 in the reader's language. Billers and suppliers also write days as they like. */
export function dayText(day: string, language: Language): string {
  const [, year, month, date] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(day) ?? []
  const noon = new Date(`${year}-${month}-${date}T12:00:00Z`)
  if (Number.isNaN(noon.getTime())) return day
  const format = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(LOCALES[language], format).format(noon)
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Says how long the order stays open. Hours and minutes are rounded down: it never promises too much. */
export function openText(leftMs: number, text: Texts): string {
  if (leftMs >= 2 * HOUR_MS) return text.openHours(Math.floor(leftMs / HOUR_MS))
  if (leftMs >= MINUTE_MS) return text.open(Math.floor(leftMs / MINUTE_MS))
  return text.openLast
}
