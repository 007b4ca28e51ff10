import type { FailureCode } from '../../../lib/failure-codes.ts'
import { FAILURE_CODES } from '../../../lib/failure-codes.ts'
import { leadsIntoList, listOf, path } from './config-path.rules.ts'
import { ORDER_WORDS } from './config-request.rules.ts'
import { isStatusPath } from './mapping.rules.ts'
import { ONLY } from './paths.rules.ts'
import type { Members, Reader, Site } from './reading.rules.ts'
import { below, boolean, complain, entriesOf, isObject, oneOf, readMembers, text } from './reading.rules.ts'
import type {
  BillResponse,
  Decision,
  ListReading,
  MoneyPath,
  OptionsResponse,
  OutputPath,
  OutputReading,
  Path,
  ResponseReading,
  Verdict,
} from './types.ts'

// Reads the part of a configuration about responses.

const paths: Reader<readonly Path[]> = (value, site) => {
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
  return (value, site) =>
    readMembers<Decision<Name>>(
      value,
      site,
      ['path', 'table', 'otherwise'],
      (members) => ({
        paths: members.required('path', outcomePaths(outcomes)) ?? [],
        table: new Map(members.required('table', nonEmpty(entriesOf(entry))) ?? []),
        otherwise: members.optional<Verdict<Name> | null>('otherwise', assumed(outcomes), null),
      }),
      EMPTY,
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
  const readName = oneOf(...names)
  return (value, site) =>
    readMembers<Verdict<Name>>(
      value,
      site,
      ['outcome', 'code', 'reason'],
      (members) => readVerdict(members, members.required('outcome', readName) ?? names[0]),
      { outcome: names[0], code: null, reason: null },
    )
}

/** Outcomes that carry one of the payment's failure codes. */
const WITH_CODE = new Set(['failed', 'not_acted'])

/** Tells whether the outcome at this place is a wrong word. Its stand-in must not be judged: it would be a second message. */
function isWrong(site: Site): boolean {
  const { path: outcome } = below(site, 'outcome')
  return site.problems.some(({ path: at }) => at === outcome)
}

function readVerdict<Name extends string>(members: Members, outcome: Name): Verdict<Name> {
  const code = members.optional<FailureCode | null>('code', failureCode, null)
  const reason = members.optional<string | null>('reason', text, null)
  if (isWrong(members.site)) return { outcome, code, reason }
  if (code !== null && !WITH_CODE.has(outcome)) {
    complain(below(members.site, 'code'), `${outcome} has no code`, 0)
  }
  if (outcome === 'failed' && !members.has('code')) {
    complain(below(members.site, 'code'), 'is missing: a failure has a code', 0)
  }
  return { outcome, code, reason }
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

const RESPONSE_MEMBERS = ['outcome', 'http_status', 'reason', 'reference'] as const

export function readResponse<Name extends string>(
  members: Members,
  outcomes: Outcomes<Name>,
): ResponseReading<Name> {
  const outcome = members.required('outcome', decision(outcomes)) ?? EMPTY
  const reference = members.optional<Path | null>('reference', path, null)
  return {
    outcome,
    httpStatus: new Map(members.optional('http_status', statusTable(outcomes.names), [])),
    reason: members.optional<Path | null>('reason', path, null),
    reference,
    list: null,
    positions: [...decidingPaths(outcome), ...(reference === null ? [] : [reference])].filter(leadsIntoList),
  }
}

/** Reads the answer about an order, which may be in a list with others. */
export function readOrderResponse<Name extends string>(
  members: Members,
  outcomes: Outcomes<Name>,
): ResponseReading<Name> {
  const found = readResponse(members, outcomes)
  const list = members.optional<ListReading<Name> | null>('list', listOf(ORDER_WORDS, outcomes.absent), null)
  const isOurs = outcomes.isAnswerToOrder === true || list !== null || found.reference !== null
  if (!isOurs && decidingPaths(found.outcome).some((each) => each.includes(ONLY))) {
    const message = `${ONLY} may be the order of somebody else: give the path of its "reference", or a "list"`
    complain(below(members.site, 'outcome'), message, 0)
  }
  return { ...found, list }
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

export function response<T>(
  known: readonly string[],
  read: (members: Members) => T,
): (value: unknown, site: Site) => T | undefined {
  return (value, site) =>
    readMembers<T | undefined>(value, site, [...RESPONSE_MEMBERS, ...known], read, undefined)
}

// ── Output of a success ──

const NO_OUTPUT: OutputReading = {
  serialNumber: null,
  pin: null,
  expiry: null,
  voucherLink: null,
  note: null,
}

export function readOutput(members: Members): OutputReading {
  return members.optional('output', output, NO_OUTPUT)
}

export function outputPaths(found: OutputReading): Path[] {
  return Object.values(found).flatMap((each: OutputPath | null) => (each === null ? [] : [each.path]))
}

function output(value: unknown, site: Site): OutputReading {
  return readMembers(
    value,
    site,
    ['serial_number', 'pin', 'expiry', 'voucher_link', 'note'],
    (members) => ({
      serialNumber: members.optional<OutputPath | null>('serial_number', outputPath, null),
      pin: members.optional<OutputPath | null>('pin', outputPath, null),
      expiry: members.optional<OutputReading['expiry']>('expiry', expiryPath, null),
      voucherLink: members.optional<OutputPath | null>('voucher_link', outputPath, null),
      note: members.optional<OutputPath | null>('note', outputPath, null),
    }),
    NO_OUTPUT,
  )
}

const outputPath: Reader<OutputPath> = (value, site) => {
  if (typeof value === 'string') return { path: path(value, site), isRequired: false }
  return readMembers(value, site, ['path', 'required'], readOutputPath, { path: [], isRequired: false })
}

function readOutputPath(members: Members): OutputPath {
  return {
    path: members.required('path', path) ?? [],
    isRequired: members.optional('required', boolean, false),
  }
}

const EXPIRY_FORMAT = 'yyyyMMdd'

const expiryPath: Reader<NonNullable<OutputReading['expiry']>> = (value, site) => {
  if (typeof value === 'string') return { path: path(value, site), isRequired: false, format: EXPIRY_FORMAT }
  return readMembers(
    value,
    site,
    ['path', 'required', 'format'],
    (members) => ({
      ...readOutputPath(members),
      format: members.optional('format', dayFormat, EXPIRY_FORMAT),
    }),
    { path: [], isRequired: false, format: EXPIRY_FORMAT },
  )
}

const dayFormat: Reader<string> = (value, site) => {
  const format = text(value, site)
  if (format === 'unix' || format === 'unix_ms') return format
  const counts = ['yyyy', 'MM', 'dd'].map((token) => format.split(token).length - 1)
  const strange = /[a-z]/i.test(format.replace(/yyyy|MM|dd|HH|mm|ss|SSS|[TZ]/g, ''))
  if (!strange && counts.every((count) => count === 1)) return format
  return complain(site, 'must have yyyy, MM and dd once each, or be unix or unix_ms', EXPIRY_FORMAT)
}

// ── Money, bills and options ──

export const moneyPath: Reader<MoneyPath> = (value, site) => {
  if (typeof value === 'string') return { path: path(value, site), unit: 'ringgit' }
  return readMembers<MoneyPath>(
    value,
    site,
    ['path', 'unit'],
    (members) => ({
      path: members.required('path', path) ?? [],
      unit: members.optional('unit', oneOf('ringgit', 'cents'), 'ringgit'),
    }),
    { path: [], unit: 'ringgit' },
  )
}

export const billPaths: Reader<BillResponse['bill']> = (value, site) =>
  typeof value === 'string' ? { whole: path(value, site) } : { fields: entriesOf(path)(value, site) }

const NO_OPTION: OptionsResponse['option'] = {
  code: [],
  label: [],
  description: null,
  accountNumber: null,
  denomination: null,
  validity: null,
  features: null,
}

export const optionPaths: Reader<OptionsResponse['option']> = (value, site) =>
  readMembers(
    value,
    site,
    ['code', 'label', 'description', 'account_number', 'denomination', 'validity', 'features'],
    (members) => ({
      code: members.required('code', path) ?? [],
      label: members.required('label', path) ?? [],
      description: members.optional<Path | null>('description', path, null),
      accountNumber: members.optional<Path | null>('account_number', path, null),
      denomination: members.optional<MoneyPath | null>('denomination', moneyPath, null),
      validity: members.optional<Path | null>('validity', path, null),
      features: members.optional<Path | null>('features', path, null),
    }),
    NO_OPTION,
  )
