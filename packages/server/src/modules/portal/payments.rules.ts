import type { DayRange } from '../../lib/dates.ts'
import type { Rule } from '../../lib/fields.ts'
import { readFields } from '../../lib/fields.ts'
import type { QueryParameters } from '../../lib/forms.ts'
import { optional } from '../../lib/parameters.ts'
import type { Page } from './parameters.rules.ts'
import { EXACT, readDays, readPage } from './parameters.rules.ts'

export const STATUS_WORDS = {
  successful: 'SUCCESSFUL',
  pending: 'PENDING',
  failed: 'FAILED',
  refunded: 'REFUND',
} as const

type Word = keyof typeof STATUS_WORDS
export type StatusName = (typeof STATUS_WORDS)[Word]

const WORDS = Object.keys(STATUS_WORDS) as Word[]

export function statusWord(status: StatusName): Word {
  const word = WORDS.find((each) => STATUS_WORDS[each] === status)
  if (word === undefined) throw new Error(`no word for ${status}`)
  return word
}

/** Repeated, or once, or not at all. */
const STATUSES: Rule<readonly StatusName[]> = {
  words: `must be one or more of ${WORDS.join(', ')}`,
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
  }
  readonly refid: string | null
  readonly page: Page
}

export function readPaymentsQuery(query: QueryParameters, today: number): PaymentsQuery {
  const { status, account, product, refid } = readFields(
    {
      status: STATUSES,
      account: optional(EXACT, null),
      product: optional(EXACT, null),
      refid: optional(EXACT, null),
    },
    { status: query.status, account: query.account, product: query.product, refid: query.refid },
  )
  return {
    filter: { days: readDays(query, today), statuses: status, account, product },
    refid,
    page: readPage(query),
  }
}

// ── What is worth money, for those who may not use it ──

export type Masks = {
  readonly secret: (text: string) => string
  readonly link: (text: string) => string
}

/** The masks of nobody: what is shown stays as it is. */
export const NO_MASKS: Masks = { secret: (text) => text, link: (text) => text }

const SECRET_NAMES = new Set(['pin', 'ic_number', 'icNumber'])
const LINK_NAMES = new Set(['voucherlink', 'voucherLink', 'voucher_link'])

/** A copy of an event's data with every secret of a payment masked, however deep it lies. */
export function maskedData(value: unknown, masks: Masks): unknown {
  if (Array.isArray(value)) return value.map((each) => maskedData(each, masks))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member === 'string' && SECRET_NAMES.has(name)) return [name, masks.secret(member)]
      if (typeof member === 'string' && LINK_NAMES.has(name)) return [name, masks.link(member)]
      return [name, maskedData(member, masks)]
    }),
  )
}
