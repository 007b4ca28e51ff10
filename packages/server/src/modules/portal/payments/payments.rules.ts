import type { DayRange } from '../../../lib/dates.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { ID } from '../../../lib/input/ids.ts'
import { SEARCH_TEXT } from '../../../lib/input/named.ts'
import { EXACT, optional } from '../../../lib/input/parameters.ts'
import type { Page } from '../access/parameters.rules.ts'
import { readDays, readPage } from '../access/parameters.rules.ts'

export const STATUS_WORDS = {
  successful: 'SUCCESSFUL',
  pending: 'PENDING',
  failed: 'FAILED',
  refunded: 'REFUND',
} as const

type Label = keyof typeof STATUS_WORDS
export type StatusName = (typeof STATUS_WORDS)[Label]

const WORDS = Object.keys(STATUS_WORDS) as Label[]

export function statusLabel(status: StatusName): Label {
  const word = WORDS.find((each) => STATUS_WORDS[each] === status)
  if (word === undefined) throw new Error(`no word for ${status}`)
  return word
}

/** Statuses of the query: the parameter may be missing, given once or repeated. */
const STATUSES: Rule<readonly StatusName[]> = {
  message: `must be one or more of ${WORDS.join(', ')}`,
  schema: { type: 'array', items: { type: 'string', enum: WORDS } },
  read(value) {
    const given: unknown[] = (Array.isArray(value) ? value : [value]).filter(
      (each) => each !== undefined && each !== '',
    )
    const known = WORDS.filter((word) => given.includes(word))
    return given.every((each) => known.some((word) => word === each))
      ? known.map((word) => STATUS_WORDS[word])
      : undefined
  },
}

export type PaymentsQuery = {
  readonly filter: {
    readonly days: DayRange
    readonly statuses: readonly StatusName[]
    readonly account: string | null
    readonly product: string | null
    readonly member: string | null
  }
  readonly refid: string | null
  /** Part that somebody remembers of the payments; null: none. */
  readonly q: string | null
  readonly page: Page
}

export const FILTER_RULES = {
  status: STATUSES,
  account: optional(EXACT, null),
  product: optional(EXACT, null),
  refid: optional(EXACT, null),
  q: optional(SEARCH_TEXT, null),
  member: optional(ID, null),
}

export function readPaymentsQuery(query: QueryParameters, today: number): PaymentsQuery {
  const { status, account, product, refid, q, member } = readFields(FILTER_RULES, {
    status: query.status,
    account: query.account,
    product: query.product,
    refid: query.refid,
    q: query.q,
    member: query.member,
  })
  return {
    filter: {
      days: readDays(query, today),
      statuses: status,
      account,
      product,
      member: member === null ? null : String(member),
    },
    refid,
    q,
    page: readPage(query),
  }
}
