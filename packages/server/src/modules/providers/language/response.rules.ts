import type { FailureCode } from '../../../lib/failure-codes.ts'
import { FAILURE_CODES } from '../../../lib/failure-codes.ts'
import { leadsIntoList, listOf, path } from './path.rules.ts'
import { isStatusPath, ONLY } from './paths.rules.ts'
import type { Found, Reader, Seen, Site } from './reading.rules.ts'
import {
  below,
  boolean,
  complain,
  entriesOf,
  isObject,
  needed,
  object,
  oneOf,
  optional,
  text,
} from './reading.rules.ts'
import type {
  BillResponse,
  Decision,
  ListReading,
  MoneyPath,
  OutputPath,
  OutputReading,
  Path,
  ResponseReading,
  Verdict,
} from './types.ts'
import { ORDER_WORDS } from './words.rules.ts'

// Reads the part of a configuration about responses.

export const paths: Reader<readonly Path[]> = (value, site) => {
  if (!Array.isArray(value)) return [path(value, site)]
  if (value.length === 0) return complain(site, 'must name at least one path', [])
  return value.map((each, at) => path(each, below(site, String(at))))
}

function outcomePaths<Name extends string>({ byStatus = false }: Outcomes<Name>): Reader<readonly Path[]> {
  return (value, site) => {
    const found = paths(value, site)
    if (byStatus || !found.some(isStatusPath)) return found
    return complain(site, '$status cannot decide here: a proxy on the way has statuses too', found)
  }
}

// ── Outcomes ──

/** Outcomes of an operation, and those that a table must be able to give. */
export type Outcomes<Name extends string> = {
  readonly names: readonly [Name, ...Name[]]
  /** Outcomes of which a table must map something to at least one, or it is useless. */
  readonly needed: readonly Name[]
  /** Outcomes that `otherwise` may assume for a value missing in an inner table; the others would claim too much. */
  readonly mayBeAssumed: readonly Name[]
  /** Allows the HTTP status to decide, as the path `$status`; it is not proof enough where money depends on it. */
  readonly byStatus?: boolean
  /** Verdict for a list without our order. */
  readonly absent?: Verdict<Name>
  /** The answer belongs to the request that ordered, and to no other order. */
  readonly isAnswerToOrder?: boolean
}

const DECISION_DEPTH_MAX = 3
const EMPTY = { paths: [], table: new Map(), otherwise: null }

export function decision<Name extends string>(outcomes: Outcomes<Name>): Reader<Decision<Name>> {
  const read = nestedDecision(outcomes, DECISION_DEPTH_MAX)
  return (value, site) => {
    const found = read(value, site)
    const table = below(site, 'table')
    // A wrong entry was replaced by a stand-in, which says nothing about the table.
    const isSound = !site.problems.some(({ path: at }) => at.startsWith(`${table.path}.`))
    if (found.otherwise !== null) {
      complain(below(site, 'otherwise'), 'belongs inside a table: an unknown answer says nothing', 0)
    }
    const said = new Set(verdictsOf(found).map(({ outcome }) => outcome))
    if (isSound && found.table.size > 0 && !outcomes.needed.some((name) => said.has(name))) {
      return complain(table, `maps nothing to ${outcomes.needed.join(' or ')}`, found)
    }
    return found
  }
}

function nestedDecision<Name extends string>(
  outcomes: Outcomes<Name>,
  depthLeft: number,
): Reader<Decision<Name>> {
  const entry: Reader<Verdict<Name> | Decision<Name>> = (value, site) => {
    const isDecision = isObject(value) && Object.hasOwn(value, 'table')
    if (!isDecision) return verdict(outcomes.names)(value, site)
    if (depthLeft === 1) return complain(site, 'is nested too deeply', EMPTY)
    return nestedDecision(outcomes, depthLeft - 1)(value, site)
  }
  return object(
    {
      path: needed(outcomePaths(outcomes), []),
      table: needed(nonEmpty(entriesOf(entry)), []),
      otherwise: optional(assumed(outcomes), null),
    },
    ({ path: paths, table, otherwise }) => ({ paths, table: new Map(table), otherwise }),
  )
}

function nonEmpty<T>(reader: Reader<readonly T[]>): Reader<readonly T[]> {
  return (value, site) => {
    const entries = reader(value, site)
    return entries.length === 0 && isObject(value) ? complain(site, 'is empty', entries) : entries
  }
}

function assumed<Name extends string>({ names, mayBeAssumed }: Outcomes<Name>): Reader<Verdict<Name>> {
  return (value, site) => {
    const found = verdict(names)(value, site)
    if (mayBeAssumed.includes(found.outcome) || isWrong(site)) return found
    const message = `${found.outcome} is too much to say of values that are not in the table`
    return complain(below(site, 'outcome'), message, found)
  }
}

function verdict<Name extends string>(names: readonly [Name, ...Name[]]): Reader<Verdict<Name>> {
  return object(
    {
      outcome: needed(oneOf(...names), names[0]),
      code: optional(failureCode, null),
      reason: optional(text, null),
    },
    checkVerdict,
  )
}

/** Outcomes that carry one of the payment's failure codes. */
const WITH_CODE = new Set(['failed', 'not_acted'])

/** Tells whether the outcome at this place is a wrong word. Its stand-in must not be judged: it would be a second message. */
function isWrong(site: Site): boolean {
  const { path: outcome } = below(site, 'outcome')
  return site.problems.some(({ path: at }) => at === outcome)
}

function checkVerdict<Name extends string>(found: Verdict<Name>, { site, has }: Seen): Verdict<Name> {
  const { outcome, code } = found
  if (isWrong(site)) return found
  if (code !== null && !WITH_CODE.has(outcome)) complain(below(site, 'code'), `${outcome} has no code`, 0)
  if (outcome === 'failed' && !has('code'))
    complain(below(site, 'code'), 'is missing: a failure has a code', 0)
  return found
}

const failureCode: Reader<FailureCode> = (value, site) =>
  FAILURE_CODES.find((code) => code === value) ??
  complain(site, `must be one of ${FAILURE_CODES.join(', ')}`, FAILURE_CODES[0])

export function verdictsOf<Name extends string>(found: Decision<Name>): Verdict<Name>[] {
  const inTable = [...found.table.values()].flatMap((entry) =>
    'outcome' in entry ? [entry] : verdictsOf(entry),
  )
  return found.otherwise === null ? inTable : [...inTable, found.otherwise]
}

// ── Answers ──

/** Members of the answer to any question that decides something. */
export function responseMembers<Name extends string>(outcomes: Outcomes<Name>) {
  return {
    outcome: needed(decision(outcomes), EMPTY),
    http_status: optional(statusTable(outcomes.names), []),
    reason: optional(paths, []),
    reference: optional(path, null),
  }
}

type FoundResponse<Name extends string> = Found<ReturnType<typeof responseMembers<Name>>>

export function responseOf<Name extends string>(found: FoundResponse<Name>): ResponseReading<Name> {
  const { outcome, httpStatus, reason, reference } = found
  const deciding = [...decidingPaths(outcome), ...(reference === null ? [] : [reference])]
  return {
    outcome,
    httpStatus: new Map(httpStatus),
    reason,
    reference,
    list: null,
    positions: deciding.filter(leadsIntoList),
  }
}

/** Members of the answer about an order, which may be in a list with others. */
export function orderResponseMembers<Name extends string>(outcomes: Outcomes<Name>) {
  return { ...responseMembers(outcomes), list: optional(listOf(ORDER_WORDS, outcomes.absent), null) }
}

export function orderResponseOf<Name extends string>(
  found: FoundResponse<Name> & { readonly list: ListReading<Name> | null },
  { isAnswerToOrder = false }: Outcomes<Name>,
  { site }: Seen,
): ResponseReading<Name> {
  const isOurs = isAnswerToOrder || found.list !== null || found.reference !== null
  if (!isOurs && decidingPaths(found.outcome).some((each) => each.includes(ONLY))) {
    const message = `${ONLY} may be the order of somebody else: give the path of its "reference", or a "list"`
    complain(below(site, 'outcome'), message, 0)
  }
  return { ...responseOf(found), list: found.list }
}

export function decidingPaths(found: Decision): Path[] {
  const inner = [...found.table.values()].flatMap((entry) => ('outcome' in entry ? [] : decidingPaths(entry)))
  return [...found.paths, ...inner]
}

/** Outcomes that a bare status can never give: a proxy that never asked the supplier has statuses too. */
const NEVER_BY_STATUS = new Set(['succeeded', 'failed', 'not_found', 'approved', 'found'])

function statusTable<Name extends string>(
  names: readonly [Name, ...Name[]],
): Reader<readonly (readonly [number, Verdict<Name>])[]> {
  const readAll = entriesOf(verdict(names))
  return (value, site) =>
    readAll(value, site).map(([status, found]) => {
      const at = below(site, status)
      if (!/^(2|4)\d\d$/.test(status)) {
        complain(at, 'must be a status of 2xx or 4xx: a 5xx or a redirect proves nothing', 0)
      }
      if (!isWrong(at) && NEVER_BY_STATUS.has(found.outcome)) {
        complain(below(at, 'outcome'), `a bare status cannot say ${found.outcome}`, 0)
      }
      return [Number(status), found] as const
    })
}

// ── Output of a success ──

export function outputPaths(found: OutputReading): Path[] {
  return Object.values(found).flatMap((each: OutputPath | null) => (each === null ? [] : [each.path]))
}

const OUTPUT_PATH = { path: needed(path, []), required: optional(boolean, false) }

const longOutputPath: Reader<OutputPath> = object(OUTPUT_PATH, ({ path: at, required }) => ({
  path: at,
  isRequired: required,
}))

const outputPath: Reader<OutputPath> = (value, site) =>
  typeof value === 'string' ? { path: path(value, site), isRequired: false } : longOutputPath(value, site)

const EXPIRY_FORMAT = 'yyyyMMdd'

const dayFormat: Reader<string> = (value, site) => {
  const format = text(value, site)
  if (format === 'unix' || format === 'unix_ms') return format
  const counts = ['yyyy', 'MM', 'dd'].map((token) => format.split(token).length - 1)
  const strange = /[a-z]/i.test(format.replace(/yyyy|MM|dd|HH|mm|ss|SSS|[TZ]/g, ''))
  if (!strange && counts.every((count) => count === 1)) return format
  return complain(site, 'must have yyyy, MM and dd once each, or be unix or unix_ms', EXPIRY_FORMAT)
}

type ExpiryPath = NonNullable<OutputReading['expiry']>

const longExpiryPath: Reader<ExpiryPath> = object(
  { ...OUTPUT_PATH, format: optional(dayFormat, EXPIRY_FORMAT) },
  ({ path: at, required, format }) => ({ path: at, isRequired: required, format }),
)

const expiryPath: Reader<ExpiryPath> = (value, site) =>
  typeof value === 'string'
    ? { path: path(value, site), isRequired: false, format: EXPIRY_FORMAT }
    : longExpiryPath(value, site)

const OUTPUT = {
  serial_number: optional(outputPath, null),
  pin: optional(outputPath, null),
  expiry: optional(expiryPath, null),
  voucher_link: optional(outputPath, null),
  note: optional(outputPath, null),
}

/** Member of an answer that says what a success brought. */
export const output = optional(object(OUTPUT), {
  serialNumber: null,
  pin: null,
  expiry: null,
  voucherLink: null,
  note: null,
})

// ── Money, bills and options ──

const longMoneyPath = object({
  path: needed(path, []),
  unit: optional(oneOf('ringgit', 'cents'), 'ringgit'),
})

export const moneyPath: Reader<MoneyPath> = (value, site) =>
  typeof value === 'string' ? { path: path(value, site), unit: 'ringgit' } : longMoneyPath(value, site)

export const billPaths: Reader<BillResponse['bill']> = (value, site) =>
  typeof value === 'string' ? { whole: path(value, site) } : { fields: entriesOf(path)(value, site) }

export const optionPaths = object({
  code: needed(path, []),
  label: needed(path, []),
  description: optional(path, null),
  account_number: optional(path, null),
  denomination: optional(moneyPath, null),
  validity: optional(path, null),
  features: optional(path, null),
})
