import { moneyPath, pricePath } from './money.rules.ts'
import type { Outcomes } from './outcomes.rules.ts'
import { decidingPaths, decision, EMPTY, statusTable } from './outcomes.rules.ts'
import { output, outputPaths } from './output.rules.ts'
import { leadsIntoList, listOf, path, paths } from './path.rules.ts'
import { ANY, ONLY } from './paths.rules.ts'
import type { Found, Reader, Seen } from './reading.rules.ts'
import { below, complain, entriesOf, integer, needed, object, optional } from './reading.rules.ts'
import type {
  BillResponse,
  ListReading,
  LookupName,
  LookupResponse,
  OrderResponse,
  ResponseReading,
  Vocabulary,
} from './types.ts'
import { LOOKUP_WORDS } from './words.rules.ts'

// Reads the part of a configuration about responses.

function statuses(min: number, max: number, lengthMin = 0): Reader<readonly number[]> {
  return (value, site) => {
    if (!Array.isArray(value) || value.length < lengthMin) {
      return complain(site, `must be a list of statuses, such as [${min}]`, [])
    }
    return value.map((each, at) => integer(min, max)(each, below(site, String(at))))
  }
}

/** Members of the answer to any question that decides something. */
export function responseMembers<Name extends string>(outcomes: Outcomes<Name>) {
  return {
    outcome: needed(decision(outcomes), EMPTY),
    http_status: optional(statusTable(outcomes), []),
    trust_status: optional(statuses(500, 599), []),
    only_status: optional(statuses(200, 599, 1), null),
    reason: optional(paths, []),
    reference: optional(path, null),
  }
}

type FoundResponse<Name extends string> = Found<ReturnType<typeof responseMembers<Name>>>

export function responseOf<Name extends string>(found: FoundResponse<Name>): ResponseReading<Name> {
  const { outcome, httpStatus, trustStatus, onlyStatus, reason, reference } = found
  const deciding = [...decidingPaths(outcome), ...(reference === null ? [] : [reference])]
  return {
    outcome,
    httpStatus: new Map(httpStatus),
    trusted: new Set(trustStatus),
    read: onlyStatus === null ? null : new Set(onlyStatus),
    reason,
    reference,
    list: null,
    positions: deciding.filter(leadsIntoList),
  }
}

/** Members of the answer about an order, which may be in a list with others. */
export function orderResponseMembers<Name extends string>(outcomes: Outcomes<Name>, words: Vocabulary) {
  return { ...responseMembers(outcomes), list: optional(listOf(words, outcomes.absent), null) }
}

export function orderResponseOf<Name extends string>(
  found: FoundResponse<Name> & { readonly list: ListReading<Name> | null },
  { isAnswerToOrder = false }: Outcomes<Name>,
  { site }: Seen,
): ResponseReading<Name> {
  const isOurs = isAnswerToOrder || found.list !== null || found.reference !== null
  const open = [ONLY, ANY].find((each) => decidingPaths(found.outcome).some((at) => at.includes(each)))
  if (!isOurs && open !== undefined) {
    const message = `${open} may be the order of somebody else: give the path of its "reference", or a "list"`
    complain(below(site, 'outcome'), message, 0)
  }
  return { ...responseOf(found), list: found.list }
}

/** Reads the answer about an order with what a success brought and cost. */
export function orderResponse<Name extends string>(
  outcomes: Outcomes<Name>,
  words: Vocabulary,
): Reader<OrderResponse<Name>> {
  const members = {
    ...orderResponseMembers(outcomes, words),
    supplier_id: optional(path, null),
    cost: optional(pricePath, null),
    output,
  }
  return object(members, (found, seen) => {
    const answer = orderResponseOf(found, outcomes, seen)
    const { supplierId, cost, output: brought } = found
    const named = supplierId === null ? [] : [supplierId]
    const further = [...outputPaths(brought), ...named].filter(leadsIntoList)
    return { ...answer, supplierId, cost, output: brought, positions: [...answer.positions, ...further] }
  })
}

// ── Bills and options ──

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

const LOOKUP_OUTCOMES: Outcomes<LookupName> = {
  names: ['found', 'unavailable'],
  needed: ['found'],
  mayBeAssumed: ['unavailable'],
  byStatus: true,
}

export const lookupResponse: Reader<LookupResponse> = object(
  {
    ...responseMembers(LOOKUP_OUTCOMES),
    list: optional(listOf<LookupName>(LOOKUP_WORDS), null),
    operator: needed(path, []),
  },
  (found) => {
    const answer = responseOf(found)
    const { list, operator } = found
    const further = leadsIntoList(operator) ? [operator] : []
    return { ...answer, list, operator, positions: [...answer.positions, ...further] }
  },
)
