import { fieldErrorsOf, invalidFields } from '../../../lib/errors.ts'
import { PRODUCT_CODE, PRODUCT_CODE_SOURCE, PROVIDER_CODE } from '../../../lib/input/codes.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { BOOLEAN, readFields, text, textRule, wholeNumber } from '../../../lib/input/fields.ts'
import { AMOUNT_MAX, formatMoney, MONEY_PATTERN, parseMoney } from '../../../lib/money.ts'
import type { BreakerSettings } from './breaker.rules.ts'
import { USUAL_BREAKER } from './breaker.rules.ts'
import type { ConfigProblem, ConnectionLimits, Secrets } from './connections.types.ts'
import type { Route, RouteCost, TimeWindow } from './routing.types.ts'
import { ANY_PRODUCT } from './routing.types.ts'

// ── Connections ──

export const PROVIDER_NAME = text(1, 100)

const SECRET_NAME = /^[A-Za-z0-9][\w.-]{0,49}$/
const SECRET_LENGTH_MAX = 10_000
const SECRETS_MAX = 50
const CONFIG_BYTES_MAX = 256 * 1024

/** Throws the problems by field, like every other refusal. */
export function refuseProblems(problems: readonly ConfigProblem[]): void {
  if (problems.length === 0) return
  const fields = fieldErrorsOf(problems.map(({ path, message }) => [path, message]))
  throw invalidFields(fields, 'The configuration has mistakes; nothing was saved.')
}

/** Returns problems that do not depend on the connector. */
export function checkConfig(config: unknown): ConfigProblem[] {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    return [{ path: 'config', message: 'must be a JSON object' }]
  }
  if (Buffer.byteLength(JSON.stringify(config)) > CONFIG_BYTES_MAX) {
    return [{ path: 'config', message: `must not be larger than ${CONFIG_BYTES_MAX / 1024} kB` }]
  }
  return []
}

/** Checks names and values; the values themselves are never part of a message. */
export function checkSecrets(secrets: unknown): ConfigProblem[] {
  if (typeof secrets !== 'object' || secrets === null || Array.isArray(secrets)) {
    return [{ path: 'secrets', message: 'must be a JSON object of names and texts' }]
  }
  const entries = Object.entries(secrets)
  if (entries.length > SECRETS_MAX) {
    return [{ path: 'secrets', message: `must be at most ${SECRETS_MAX}` }]
  }
  return entries.flatMap(([name, value]) => {
    const path = `secrets.${name.slice(0, 50)}`
    if (!SECRET_NAME.test(name)) {
      return [{ path, message: 'the name must be 1 to 50 letters, digits, _ - or .' }]
    }
    const isText = typeof value === 'string' && value !== '' && value.length <= SECRET_LENGTH_MAX
    return isText ? [] : [{ path, message: `must be a text of 1 to ${SECRET_LENGTH_MAX} characters` }]
  })
}

/** Replaces the secrets that were given, by name; the others stay. */
export function mergeSecrets(kept: Secrets, given: Secrets | undefined): Secrets {
  return { ...kept, ...given }
}

// ── Limits ──

const CONCURRENCY = wholeNumber(1, 10_000)
const RATE = positiveNumber(10_000)
const SHARE = positiveNumber(1)

function positiveNumber(max: number): Rule<number> {
  return {
    message: `must be a number greater than 0 and at most ${max}`,
    schema: { type: 'number', exclusiveMinimum: 0, maximum: max },
    read: (value) => (typeof value === 'number' && value > 0 && value <= max ? value : undefined),
  }
}

const BREAKER_RULES: Readonly<Record<keyof BreakerSettings, Rule<number>>> = {
  failuresInARow: wholeNumber(1, 10_000),
  volumeMin: wholeNumber(1, 100_000),
  illRate: SHARE,
  backOffMs: wholeNumber(100, 3_600_000),
  backOffMaxMs: wholeNumber(100, 86_400_000),
  probes: wholeNumber(1, 100),
}

const BREAKER_NAMES: Readonly<Record<string, keyof BreakerSettings>> = {
  ill_in_a_row: 'failuresInARow',
  volume_min: 'volumeMin',
  ill_rate: 'illRate',
  back_off_ms: 'backOffMs',
  back_off_max_ms: 'backOffMaxMs',
  probes: 'probes',
}

/** Reads limits from the form in which they are written and stored. */
export function readLimits(limits: unknown): { limits: ConnectionLimits; problems: ConfigProblem[] } {
  const problems: ConfigProblem[] = []
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits)) {
    return { limits: {}, problems: [{ path: 'limits', message: 'must be a JSON object' }] }
  }
  const read: { -readonly [K in keyof ConnectionLimits]: ConnectionLimits[K] } = {}
  for (const [name, value] of Object.entries(limits)) {
    const take = <T>(rule: Rule<T>, keep: (value: T) => void) => {
      const found = rule.read(value)
      if (found === undefined) problems.push({ path: `limits.${name}`, message: rule.message })
      else keep(found)
    }
    if (name === 'concurrency') {
      take(CONCURRENCY, (found) => {
        read.concurrency = found
      })
    } else if (name === 'rate_per_second') {
      take(RATE, (found) => {
        read.ratePerSecond = found
      })
    } else if (name === 'breaker') {
      read.breaker = value === false ? false : readBreaker(value, problems)
    } else problems.push({ path: `limits.${name}`, message: 'is not known' })
  }
  return { limits: read, problems }
}

function readBreaker(value: unknown, problems: ConfigProblem[]): Partial<BreakerSettings> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push({ path: 'limits.breaker', message: 'must be false or a JSON object' })
    return {}
  }
  const read: { -readonly [K in keyof BreakerSettings]?: number } = {}
  for (const [name, given] of Object.entries(value)) {
    const key = Object.hasOwn(BREAKER_NAMES, name) ? BREAKER_NAMES[name] : undefined
    const found = key && BREAKER_RULES[key].read(given)
    if (key !== undefined && found !== undefined) read[key] = found
    else {
      const message = key === undefined ? 'is not known' : BREAKER_RULES[key].message
      problems.push({ path: `limits.breaker.${name}`, message })
    }
  }
  return read
}

export function connectionLimits(limits: ConnectionLimits): Record<string, unknown> {
  const { breaker } = limits
  return {
    ...(limits.concurrency !== undefined && { concurrency: limits.concurrency }),
    ...(limits.ratePerSecond !== undefined && { rate_per_second: limits.ratePerSecond }),
    ...(breaker === false && { breaker: false }),
    ...(breaker !== undefined &&
      breaker !== false && {
        breaker: Object.fromEntries(
          Object.entries(BREAKER_NAMES)
            .filter(([, key]) => breaker[key] !== undefined)
            .map(([name, key]) => [name, breaker[key]]),
        ),
      }),
  }
}

export function breakerOf({ breaker }: ConnectionLimits): BreakerSettings | null {
  return breaker === false ? null : { ...USUAL_BREAKER, ...breaker }
}

// ── Routes ──

const PRODUCT: Rule<string> = textRule({
  message: `must be the code of a product, or ${ANY_PRODUCT} for every product without routes of its own`,
  schema: { pattern: `^(?:\\*|${PRODUCT_CODE_SOURCE})$` },
  parse: (given) => (given === ANY_PRODUCT ? given : PRODUCT_CODE.read(given)),
})

const WHOLE_WEIGHT = wholeNumber(0, 1_000)

const WEIGHT: Rule<{ weight: number | null }> = {
  message: WHOLE_WEIGHT.message,
  schema: WHOLE_WEIGHT.schema,
  read(value) {
    if (value === null) return { weight: null }
    const weight = WHOLE_WEIGHT.read(value)
    return weight === undefined ? undefined : { weight }
  },
}

const PERCENTAGE_FORM = /^(\d{1,3}(?:\.\d{1,2})?)%$/

/** A percentage, or an amount as `parseMoney` reads it. */
const COST_FORM = `${PERCENTAGE_FORM.source}|${MONEY_PATTERN}`

const COST: Rule<{ cost: RouteCost | null }> = {
  message:
    'must be a percentage of the face value such as 97.5%, or an amount per order such as 0.50, at most 1000000000',
  schema: { type: 'string', pattern: COST_FORM },
  read(value) {
    if (value === null) return { cost: null }
    if (typeof value !== 'string') return undefined
    const percentage = PERCENTAGE_FORM.exec(value)?.[1]
    if (percentage !== undefined) {
      const parts = parseMoney(percentage)
      return parts === undefined ? undefined : { cost: { kind: 'percentage', value: parts / 100n } }
    }
    const amount = parseMoney(value)
    const isCost = amount !== undefined && amount <= AMOUNT_MAX
    return isCost ? { cost: { kind: 'fixed', value: amount } } : undefined
  },
}

const WINDOWS_MAX = 20
/** Limit of characters; enough for every day by name and the times. */
const WINDOW_LENGTH_MAX = 60

const WINDOWS: Rule<readonly TimeWindow[]> = {
  message: `must be at most ${WINDOWS_MAX} windows such as 08:00-22:30 or mon-fri,sun 22:00-02:00, by GMT+8`,
  schema: {
    type: 'array',
    maxItems: WINDOWS_MAX,
    items: { type: 'string', maxLength: WINDOW_LENGTH_MAX },
  },
  read(value) {
    if (!Array.isArray(value) || value.length > WINDOWS_MAX) return undefined
    const windows = value.map(parseWindow)
    return windows.every((window) => window !== undefined) ? windows : undefined
  },
}

export const ROUTE_RULES = {
  productCode: PRODUCT,
  provider: PROVIDER_CODE,
  priority: wholeNumber(1, 1_000),
  weight: WEIGHT,
  cost: COST,
  windows: WINDOWS,
  isEnabled: BOOLEAN,
}

export type RouteInput = {
  readonly productCode: unknown
  readonly provider: unknown
  readonly priority: unknown
  readonly weight: unknown
  readonly cost: unknown
  readonly windows: unknown
  readonly isEnabled: unknown
}

export function readRoute(input: RouteInput): Route {
  const { weight, cost, ...route } = readFields(ROUTE_RULES, input)
  return { ...route, ...weight, ...cost }
}

/** Formats a cost as `--cost` accepts it. */
export function formatCost(cost: RouteCost | null): string | null {
  if (cost === null) return null
  return cost.kind === 'fixed' ? formatMoney(cost.value) : `${formatMoney(cost.value * 100n)}%`
}

// ── Windows, as people write them ──

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const TIMES_FORM = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/

export function parseWindow(value: unknown): TimeWindow | undefined {
  if (typeof value !== 'string' || value.length > WINDOW_LENGTH_MAX) return undefined
  const [times = '', daysText, ...more] = value.trim().toLowerCase().split(/\s+/).reverse()
  const match = TIMES_FORM.exec(times)
  const days = daysText === undefined ? [] : parseDays(daysText)
  if (match === null || days === undefined || more.length > 0) return undefined
  const [, fromHour, fromMinutes, toHour, toMinutes] = match.map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const fromMinute = fromHour * 60 + fromMinutes
  const toMinute = toHour * 60 + toMinutes
  const isTime = fromMinutes < 60 && toMinutes < 60 && fromMinute < 24 * 60 && toMinute <= 24 * 60
  return isTime ? { days, fromMinute, toMinute } : undefined
}

function parseDays(text: string): number[] | undefined {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const [first = '', last = first, ...more] = part.split('-')
    const from = DAYS.indexOf(first)
    const to = DAYS.indexOf(last)
    if (from < 0 || to < 0 || more.length > 0) return undefined
    for (let day = from; ; day = (day + 1) % DAYS.length) {
      found.add(day + 1)
      if (day === to) break
    }
  }
  return [...found].sort((a, b) => a - b)
}

export function formatWindow({ days, fromMinute, toMinute }: TimeWindow): string {
  const clock = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const times = `${clock(fromMinute)}-${clock(toMinute)}`
  return days.length === 0 ? times : `${days.map((day) => DAYS[day - 1]).join(',')} ${times}`
}
