import type { OperatorOperations } from '../../api/operator.ts'
import type { Search } from '../../shell/navigation.tsx'

type Query = OperatorOperations['searchPayments']['query']

/** Ways to name one payment or one customer; a search uses one of them. */
export const KEYS = ['customer', 'refid', 'reference', 'id'] as const
export type Key = (typeof KEYS)[number]

export const STATES = ['pending', 'stuck', 'succeeded', 'failed', 'voided'] as const

const TEXTS = [
  'customer',
  'refid',
  'reference',
  'id',
  'account',
  'product',
  'provider',
  'days',
  'cursor',
] as const

/** Filters of the address as the API takes them. Values that cannot be are left out. */
export function searchQuery(search: Search): Query {
  const state = STATES.find((each) => each === search.state)
  const query: Query = state === undefined ? {} : { state }
  for (const name of TEXTS) {
    const value = search[name]
    if (value !== undefined && value !== '') query[name] = value
  }
  return query
}

/** Days in the address: one day, or two with " - " between. */
export function daysOf(search: Search): { readonly from: string; readonly to: string } {
  const [from = '', to = from] = (search.days ?? '').split(' - ')
  return { from, to }
}

export function daysText(from: string, to: string): string {
  const [first, last] = [from === '' ? to : from, to === '' ? from : to]
  return first === last ? first : `${first} - ${last}`
}

export const NO_FILTERS = {
  customer: undefined,
  refid: undefined,
  reference: undefined,
  id: undefined,
  account: undefined,
  product: undefined,
  provider: undefined,
  state: undefined,
  days: undefined,
  cursor: undefined,
}
