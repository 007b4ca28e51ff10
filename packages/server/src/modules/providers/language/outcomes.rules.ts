import type { FailureCode } from '../../../lib/failure-codes.ts'
import { FAILURE_CODES } from '../../../lib/failure-codes.ts'
import { paths } from './path.rules.ts'
import { isStatusPath } from './paths.rules.ts'
import type { Reader, Seen, Site } from './reading.rules.ts'
import {
  below,
  complain,
  entriesOf,
  isObject,
  needed,
  object,
  oneOf,
  optional,
  text,
} from './reading.rules.ts'
import type { Decision, OpenWord, Path, Verdict } from './types.ts'

// Reads the tables that give the values of an answer their meaning.

function outcomePaths<Name extends string>({ byStatus = false }: Outcomes<Name>): Reader<readonly Path[]> {
  return (value, site) => {
    const found = paths(value, site)
    if (byStatus || !found.some(isStatusPath)) return found
    return complain(site, '$status cannot decide here: a proxy on the way has statuses too', found)
  }
}

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
  /** Allows a success to be told by what it brought, where the supplier has no word for it. */
  readonly byPresence?: boolean
  /** The answer belongs to the request that ordered, and to no other order. */
  readonly isAnswerToOrder?: boolean
}

const DECISION_DEPTH_MAX = 3
export const EMPTY = { paths: [], table: new Map(), otherwise: null }

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
    const said = new Set<string>(verdictsOf(found).map(({ outcome }) => outcome))
    if (found.present !== undefined) said.add('succeeded')
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
  const entry: Reader<Verdict<Name> | Decision<Name> | OpenWord> = (value, site) => {
    const isDecision = isObject(value) && Object.hasOwn(value, 'table')
    if (isObject(value) && value.outcome === 'unknown') return openWord(value, site)
    if (!isDecision) return verdict(outcomes.names)(value, site)
    if (depthLeft === 1) return complain(site, 'is nested too deeply', EMPTY)
    return nestedDecision(outcomes, depthLeft - 1)(value, site)
  }
  const members = {
    path: needed(outcomePaths(outcomes), []),
    table: needed(nonEmpty(entriesOf(entry)), []),
    otherwise: optional(assumed(outcomes), null),
  }
  const byTable = object(members, ({ path: paths, table, otherwise }) => ({
    paths,
    table: new Map(table),
    otherwise,
  }))
  const byPresence = object(
    {
      ...members,
      path: optional(outcomePaths(outcomes), []),
      table: optional(nonEmpty(entriesOf(entry)), []),
      present: needed(paths, []),
    },
    ({ path, table, otherwise, present }, { site, has }) => {
      if (has('path') !== has('table')) complain(site, 'must have both path and table, or neither', 0)
      return { paths: path, table: new Map(table), otherwise, present }
    },
  )
  const mayBePresent = outcomes.byPresence === true && depthLeft === DECISION_DEPTH_MAX
  return (value, site) =>
    mayBePresent && isObject(value) && Object.hasOwn(value, 'present')
      ? byPresence(value, site)
      : byTable(value, site)
}

const openWord: Reader<OpenWord> = object(
  { outcome: needed(oneOf('unknown'), 'unknown'), reason: optional(text, null) },
  ({ reason }) => ({ leavesOpen: true, reason }),
)

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
const WITH_CODE = new Set(['failed', 'not_acted', 'reversed'])

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
    'outcome' in entry ? [entry] : 'table' in entry ? verdictsOf(entry) : [],
  )
  return found.otherwise === null ? inTable : [...inTable, found.otherwise]
}

export function decidingPaths(found: Decision): Path[] {
  const inner = [...found.table.values()].flatMap((entry) => ('table' in entry ? decidingPaths(entry) : []))
  return [...found.paths, ...inner, ...(found.present ?? [])]
}

/** Outcomes that a bare status can never give: a proxy that never asked the supplier has statuses too. */
const NEVER_BY_STATUS = new Set(['succeeded', 'failed', 'not_found', 'reversed', 'approved', 'found'])

export function statusTable<Name extends string>({
  names,
  isAnswerToOrder = false,
}: Outcomes<Name>): Reader<readonly (readonly [number, Verdict<Name>])[]> {
  const readAll = entriesOf(verdict(names))
  return (value, site) =>
    readAll(value, site).map(([status, found]) => {
      const at = below(site, status)
      if (!/^(2|4)\d\d$/.test(status)) {
        complain(at, 'must be a status of 2xx or 4xx: a 5xx or a redirect proves nothing', 0)
      }
      // A refusal of the order says that it was not taken; that of a question says nothing about the order.
      const isNever =
        NEVER_BY_STATUS.has(found.outcome) || (found.outcome === 'not_acted' && !isAnswerToOrder)
      if (!isWrong(at) && isNever) {
        complain(below(at, 'outcome'), `a bare status cannot say ${found.outcome}`, 0)
      }
      return [Number(status), found] as const
    })
}
