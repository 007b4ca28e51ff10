import { isPrintable } from '../../../lib/input/fields.ts'
import { parseWebUrl, URL_LENGTH_MAX } from '../../../lib/input/urls.ts'
import { parseMoney, STORABLE_MAX } from '../../../lib/money.ts'
import { isBrokenNumber, isStatusPath, textAt, valueAt } from '../language/paths.rules.ts'
import type {
  Decision,
  MoneyPath,
  OptionsResponse,
  OutputReading,
  Path,
  ResponseReading,
  Values,
  Verdict,
} from '../language/types.ts'
import type { FulfilledOutput } from '../port/types.ts'
import { isCrowded, partOf } from './lists.rules.ts'

// Rules that read the meaning of a supplier's JSON.

/** Returns a supplier's message for people, in one line. `discreet` shortens it after looking for secrets. */
export function messageAt(json: unknown, paths: readonly Path[]): string | undefined {
  const found = paths.map((path) =>
    textAt(json, path)
      ?.replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
  )
  return found.find((words) => words !== undefined && words !== '')
}

// ── Outcomes ──

export type Decided<Name extends string> =
  | { readonly kind: 'decided'; readonly verdict: Verdict<Name> }
  /** No path leads to a value. */
  | { readonly kind: 'silent' }
  /** The value is not in the table. */
  | { readonly kind: 'unmapped'; readonly value: string }

/** Decides an outcome. `status` is the value of the path `$status`. */
export function decide<Name extends string>(
  decision: Decision<Name>,
  json: unknown,
  status: number | null = null,
): Decided<Name> {
  const values = decision.paths.map((path) => (isStatusPath(path) ? status : valueAt(json, path)))
  const found = values.find((each) => each !== undefined && each !== null)
  if (found === undefined) return { kind: 'silent' }
  const text = textAt(found, [])
  const entry = text === undefined ? undefined : decision.table.get(text)
  if (entry === undefined) return { kind: 'unmapped', value: text ?? typeof found }
  if ('outcome' in entry) return { kind: 'decided', verdict: entry }
  const further = decide(entry, json, status)
  if (further.kind === 'decided') return further
  // The outer value is known, so even a missing inner value may be taken as `otherwise`.
  if (entry.otherwise !== null) return { kind: 'decided', verdict: entry.otherwise }
  return further.kind === 'unmapped' ? further : { kind: 'unmapped', value: text ?? '' }
}

/** A whole answer, read as far as possible. */
export type Answer = {
  readonly status: number
  /** Parsed body; undefined when it is not JSON. */
  readonly json: unknown
}

export type Judged<Name extends string> =
  /** `json` is the part of the answer that is about the question's subject. */
  | { readonly kind: 'decided'; readonly verdict: Verdict<Name>; readonly json: unknown }
  | { readonly kind: 'undecided'; readonly reason: string; readonly isAmbiguous?: true }

/** Outcomes that contradict a 4xx status. */
const NEEDS_SUCCESS = new Set(['succeeded', 'approved', 'found'])

/**
 * Decides what an answer says about the question, which was written with `values`. An answer that is not whole,
 * well-formed and foreseen in the configuration says nothing. Neither does a 5xx, which a proxy that never asked the
 * supplier can send.
 */
export function judge<Name extends string>(
  response: ResponseReading<Name>,
  { status, json }: Answer,
  values: Values,
): Judged<Name> {
  const isSuccess = status >= 200 && status < 300
  const isRefusal = status >= 400 && status < 500
  if (!isSuccess && !isRefusal) return undecided(`the supplier answered ${status}`)
  const part = partOf(response.list, json, values)
  if (part.kind === 'unclear') return part.isAmbiguous ? ambiguous(part.reason) : undecided(part.reason)
  if (part.kind === 'absent') {
    const verdict = response.list?.absent ?? null
    if (verdict !== null && isSuccess) return { kind: 'decided', verdict, json: undefined }
    return undecided('the list in the answer has nothing of ours')
  }
  if (response.positions.some((path) => isCrowded(part.json, path))) {
    return ambiguous('the answer has several elements where one is expected')
  }
  return judgePart(response, status, part, typeof values.reference === 'string' ? values.reference : null)
}

function judgePart<Name extends string>(
  response: ResponseReading<Name>,
  status: number,
  { kind, json }: { readonly kind: 'whole' | 'picked' | 'outside'; readonly json: unknown },
  reference: string | null,
): Judged<Name> {
  const isSuccess = status >= 200 && status < 300
  const decided = json === undefined ? ({ kind: 'silent' } as const) : decide(response.outcome, json, status)
  switch (decided.kind) {
    case 'silent': {
      const verdict = response.httpStatus.get(status)
      if (verdict !== undefined) return { kind: 'decided', verdict, json }
      return undecided(json === undefined ? `${status} without JSON` : `${status} without an outcome`)
    }
    case 'unmapped':
      return undecided(`the supplier's "${showable(decided.value)}" is not in the table`)
    case 'decided': {
      const { verdict } = decided
      if (!isSuccess && NEEDS_SUCCESS.has(verdict.outcome)) {
        return undecided(`the supplier answered ${status} and ${verdict.outcome} at once`)
      }
      // Beside its list, an answer can only say that there is no such order.
      const own = kind === 'outside' ? undefined : reference
      const named = response.reference === null ? own : textAt(json, response.reference)
      if (reference !== null && named !== reference && !isAbsence(verdict.outcome, named)) {
        return undecided('the answer is not about this order')
      }
      return { kind: 'decided', verdict, json }
    }
  }
}

/** Statuses that refuse the request itself: its credentials, its time or its pace. */
const REFUSED_REQUEST = new Set([401, 403, 407, 408, 425, 429])

/**
 * Decides what the answer to a question says. A supplier that refuses the question says nothing about its subject, also
 * where the body has the word for a failed order. Only a configuration that names the status decides by it.
 */
export function judgeQuestion<Name extends string>(
  response: ResponseReading<Name>,
  answer: Answer,
  values: Values,
): Judged<Name> {
  const { status, json } = answer
  if (!REFUSED_REQUEST.has(status) || response.outcome.paths.some(isStatusPath)) {
    return judge(response, answer, values)
  }
  const verdict = response.httpStatus.get(status)
  return verdict === undefined
    ? undecided(`the supplier refused the question with ${status}`)
    : { kind: 'decided', verdict, json }
}

/** True when the supplier has no such order, and so has no reference to give back. */
function isAbsence(outcome: string, named: string | null | undefined): boolean {
  return (outcome === 'not_found' || outcome === 'not_acted') && named === undefined
}

function undecided(reason: string): { kind: 'undecided'; reason: string } {
  return { kind: 'undecided', reason }
}

function ambiguous(reason: string): { kind: 'undecided'; reason: string; isAmbiguous: true } {
  return { kind: 'undecided', reason, isAmbiguous: true }
}

/** Shows a short code so that it can be added to the table; a longer value may hold anything. */
function showable(value: string): string {
  return /^[\w .:/-]{1,40}$/.test(value) ? value : '…'
}

// ── Output of a success ──

export type OutputFound =
  | { readonly ok: true; readonly output: FulfilledOutput }
  | { readonly ok: false; readonly reason: string }

const OUTPUT_MAX = 500
/** Limit of instructions, which may have several paragraphs. */
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
    const raw = valueAt(json, wanted.path)
    const value = textAt(json, wanted.path)?.trim()
    const isThere = raw !== undefined && raw !== null && value !== ''
    const isReadable = isThere && value !== undefined && value.length <= lengthMax && !isBrokenNumber(raw)
    const turned = isReadable ? turn(value) : undefined
    // A value that is present but unreadable is worse than a missing one: the customer paid for it.
    if (turned === undefined && (isThere || wanted.isRequired)) missing.push(name)
    return turned ?? ''
  }
  const { expiry } = reading
  const output = {
    serialNumber: read('serial_number', reading.serialNumber),
    pin: read('pin', reading.pin),
    expiry: read('expiry', expiry, (value) => dayOf(value, expiry?.format ?? '')),
    voucherLink: read('voucher_link', reading.voucherLink, linkOf, URL_LENGTH_MAX),
    note: read('note', reading.note, noteOf, NOTE_MAX),
  }
  if (missing.length === 0) return { ok: true, output }
  return { ok: false, reason: `a success without a readable ${missing.join(' and ')}` }
}

function printable(value: string): string | undefined {
  return isPrintable(value) ? value : undefined
}

/** Accepts line breaks, because instructions may have lines. */
function noteOf(value: string): string | undefined {
  return isPrintable(value.replace(/[\t\r\n]/g, '')) ? value : undefined
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

// ── Money ──

const UNITS_PER_CENT = 100n

export function moneyAt(json: unknown, { path, unit }: MoneyPath): bigint | undefined {
  const text = textAt(json, path)?.trim()
  if (text === undefined) return undefined
  const isNegative = text.startsWith('-')
  const digits = isNegative ? text.slice(1) : text
  const amount = unit === 'ringgit' ? parseMoney(digits) : parseCents(digits)
  return amount === undefined ? undefined : isNegative ? -amount : amount
}

function parseCents(digits: string): bigint | undefined {
  const amount = /^\d{1,17}$/.test(digits) ? BigInt(digits) * UNITS_PER_CENT : undefined
  return amount === undefined || amount > STORABLE_MAX ? undefined : amount
}

// ── Lists ──

const FEATURES_MAX = 50

/** Returns undefined when the item does not look like an option. */
export function optionOf(item: unknown, paths: OptionsResponse['option']) {
  const code = textAt(item, paths.code)
  const label = textAt(item, paths.label)
  const hasDenomination =
    paths.denomination !== null && (valueAt(item, paths.denomination.path) ?? null) !== null
  const denomination =
    paths.denomination !== null && hasDenomination ? moneyAt(item, paths.denomination) : null
  if (code === undefined || code === '' || label === undefined || denomination === undefined) return undefined
  const optional = (path: Path | null) => (path === null ? null : (textAt(item, path) ?? null))
  const features = paths.features === null ? undefined : valueAt(item, paths.features)
  return {
    code,
    label,
    description: optional(paths.description),
    accountNumber: optional(paths.accountNumber),
    denomination,
    validity: optional(paths.validity),
    features: Array.isArray(features)
      ? features.filter((each) => typeof each === 'string').slice(0, FEATURES_MAX)
      : null,
  }
}
