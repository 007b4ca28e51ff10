import { parseDay } from '../../lib/dates.ts'
import type { Amount } from '../../lib/money.ts'
import { parseMoney } from '../../lib/money.ts'
import type { Mapping } from './types.ts'

const SEN_PER_RINGGIT = 100n

/** Returns undefined when it is not an amount in the given spelling; never negative. */
export function parseAmount(
  text: string,
  { unit, decimal, thousands }: Pick<Mapping['amount'], 'unit' | 'decimal' | 'thousands'>,
): Amount | undefined {
  const [whole = '', fraction, ...more] = text.trim().split(decimal)
  if (more.length > 0) return undefined
  const digits = thousands === '' ? whole : joinThousands(whole, thousands)
  if (digits === undefined) return undefined
  const units = parseMoney(fraction === undefined ? digits : `${digits}.${fraction}`)
  if (units === undefined || unit === 'ringgit' || unit === 'unit') return units
  // Sen are hundredths: a figure that is not a whole number of ledger units is not an amount.
  return units % SEN_PER_RINGGIT === 0n ? units / SEN_PER_RINGGIT : undefined
}

function joinThousands(whole: string, separator: string): string | undefined {
  const groups = whole.split(separator)
  const isGrouped = groups.every((group, index) =>
    index === 0 ? /^\d{1,3}$/.test(group) : /^\d{3}$/.test(group),
  )
  return groups.length === 1 || isGrouped ? groups.join('') : undefined
}

const TOKENS = { yyyy: 4, MM: 2, dd: 2, HH: 2, mm: 2, ss: 2, fff: 3 } as const
type Token = keyof typeof TOKENS

export type TimeFormat = { readonly form: RegExp; readonly tokens: readonly Token[] }

/** Returns undefined for a format without a whole date or with a repeated part. */
export function parseTimeFormat(format: string): TimeFormat | undefined {
  const tokens: Token[] = []
  const form = format.replace(/yyyy|MM|dd|HH|mm|ss|fff|[\s\S]/g, (part) => {
    if (!(part in TOKENS)) return part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    tokens.push(part as Token)
    return `(\\d{${TOKENS[part as Token]}})`
  })
  const isWhole = (['yyyy', 'MM', 'dd'] as const).every((token) => tokens.includes(token))
  if (!isWhole || new Set(tokens).size !== tokens.length || /[a-zA-Z]/.test(withoutTokens(format))) {
    return undefined
  }
  return { form: new RegExp(`^${form}$`), tokens }
}

// T between date and time is the only letter that stands for itself.
function withoutTokens(format: string): string {
  return format.replace(/yyyy|MM|dd|HH|mm|ss|fff|T/g, '')
}

const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/

/** Returns undefined when the text has another format, is not a time of the calendar, or lies before 1970. */
export function parseTime(text: string, time: NonNullable<Mapping['time']>): Date | undefined {
  const at = parseAnyTime(text, time)
  // A year of the first century is a year of two digits that was read as four.
  return at === undefined || at.getTime() < 0 ? undefined : at
}

function parseAnyTime(
  text: string,
  { format, offsetMinutes }: NonNullable<Mapping['time']>,
): Date | undefined {
  if (format === 'iso') {
    // `new Date` reads 30 February as 2 March.
    const at = ISO.test(text) && parseDay(text.slice(0, 10)) !== undefined ? new Date(text) : undefined
    return at === undefined || Number.isNaN(at.getTime()) ? undefined : at
  }
  const parsed = parseTimeFormat(format)
  const match = parsed?.form.exec(text)
  if (parsed === undefined || match === null || match === undefined) return undefined
  const part = (token: Token) => {
    const place = parsed.tokens.indexOf(token)
    return place < 0 ? 0 : Number(match[place + 1])
  }
  const [month, day] = [part('MM'), part('dd')]
  const at = new Date(Date.UTC(part('yyyy'), month - 1, day, part('HH'), part('mm'), part('ss'), part('fff')))
  // Date.UTC reads 30 February as 2 March, 25 o'clock as tomorrow and the year 26 as 1926, so each part must be the one
  // that was written.
  const isReal =
    at.getUTCFullYear() === part('yyyy') &&
    at.getUTCMonth() === month - 1 &&
    at.getUTCDate() === day &&
    at.getUTCHours() === part('HH') &&
    at.getUTCMinutes() === part('mm') &&
    at.getUTCSeconds() === part('ss')
  return isReal ? new Date(at.getTime() - offsetMinutes * 60_000) : undefined
}
