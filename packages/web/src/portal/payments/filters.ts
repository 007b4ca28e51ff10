import type { Search } from '../../shell/navigation.tsx'
import type { PaymentStatus } from './status.tsx'
import { STATUSES } from './status.tsx'

/** Filters of the address as the API takes them. Values that cannot be are left out. */
export function filterQuery(search: Search) {
  const status = STATUSES.filter((each) => (search.status ?? '').split(',').includes(each))
  return {
    ...(status.length === 0 ? {} : { status: status as PaymentStatus[] }),
    ...pick(search, 'from'),
    ...pick(search, 'to'),
    ...pick(search, 'product'),
    ...pick(search, 'account'),
    ...pick(search, 'refid'),
  }
}

export function cursorQuery(search: Search) {
  return pick(search, 'cursor')
}

function pick<Name extends string>(search: Search, name: Name): { [K in Name]?: string } {
  const value = search[name]
  return (value === undefined || value === '' ? {} : { [name]: value }) as { [K in Name]?: string }
}
