import { isPrintable } from '../../../lib/input/fields.ts'
import { parseWebUrl, URL_LENGTH_MAX } from '../../../lib/input/urls.ts'
import { isBrokenNumber, textOfValue, valueAt } from '../language/paths.rules.ts'
import type { OutputReading } from '../language/types.ts'
import type { FulfilledOutput } from '../port/types.ts'

// Rules that read what a success brought.

export type OutputFound =
  | { readonly ok: true; readonly output: FulfilledOutput }
  | { readonly ok: false; readonly reason: string }

const OUTPUT_MAX = 500
/** Limit of instructions, which may have several paragraphs. The rest of a longer text is worth less than the success. */
const NOTE_MAX = 2_000

export function outputOf(reading: OutputReading, json: unknown): OutputFound {
  const missing: string[] = []
  const read = (
    name: string,
    wanted: OutputReading['pin'],
    turn: (value: string) => string | undefined = printable,
    lengthMax = OUTPUT_MAX,
  ): string => {
    if (wanted === null) return ''
    const raw = wanted.paths.map((path) => valueAt(json, path)).find(isThere)
    const value = textOfValue(raw)?.trim()
    const isReadable = value !== undefined && value.length <= lengthMax && !isBrokenNumber(raw)
    const turned = isReadable ? turn(value) : undefined
    // A value that is present but unreadable is worse than a missing one: the customer paid for it.
    if (turned === undefined && (raw !== undefined || wanted.isRequired)) missing.push(name)
    return turned ?? ''
  }
  const { expiry } = reading
  const output = {
    serialNumber: read('serial_number', reading.serialNumber),
    pin: read('pin', reading.pin),
    expiry: read('expiry', expiry, (value) => dayOf(value, expiry?.format ?? '')),
    voucherLink: read('voucher_link', reading.voucherLink, linkOf, URL_LENGTH_MAX),
    note: read('note', reading.note, noteOf, Number.POSITIVE_INFINITY),
  }
  if (missing.length === 0) return { ok: true, output }
  return { ok: false, reason: `a success without a readable ${missing.join(' and ')}` }
}

function isThere(raw: unknown): boolean {
  return raw !== undefined && raw !== null && textOfValue(raw)?.trim() !== ''
}

function printable(value: string): string | undefined {
  return isPrintable(value) ? value : undefined
}

/** Accepts line breaks, because instructions may have lines. */
function noteOf(value: string): string | undefined {
  const kept =
    value.length <= NOTE_MAX
      ? value
      : value
          .slice(0, NOTE_MAX)
          .replace(/\p{Cs}$/u, '')
          .trimEnd()
  return isPrintable(kept.replace(/[\t\r\n]/g, '')) ? kept : undefined
}

function linkOf(value: string): string | undefined {
  if (!isPrintable(value)) return undefined
  return parseWebUrl(value) === undefined ? undefined : value
}

const GMT8_MS = 8 * 3_600_000
const YEAR_MAX = 9_999

/** Returns yyyyMMdd; undefined when it is not a day of the calendar. */
export function dayOf(value: string, format: string): string | undefined {
  if (format === 'unix' || format === 'unix_ms') {
    if (!/^\d{1,14}$/.test(value)) return undefined
    const instantMs = Number(value) * (format === 'unix' ? 1_000 : 1)
    const day = new Date(instantMs + GMT8_MS)
    // Milliseconds that are read as seconds lead to a year of more than four digits.
    const isDay = !Number.isNaN(day.getTime()) && day.getUTCFullYear() <= YEAR_MAX
    return isDay ? day.toISOString().slice(0, 10).replaceAll('-', '') : undefined
  }
  const pattern = format
    .replace(/[.*+?^$()[\]{}|\\/]/g, '\\$&')
    .replace('yyyy', '(?<y>\\d{4})')
    .replace('MM', '(?<m>\\d\\d)')
    .replace('dd', '(?<d>\\d\\d)')
    .replace(/HH|mm|ss/g, '\\d\\d')
    .replace('SSS', '\\d{3}')
  const { y = '', m = '', d = '' } = new RegExp(`^${pattern}$`).exec(value)?.groups ?? {}
  const instant = new Date(`${y}-${m}-${d}T00:00:00Z`)
  const isDay = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${y}-${m}-${d}`)
  return isDay ? `${y}${m}${d}` : undefined
}
