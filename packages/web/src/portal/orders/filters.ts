import type { PortalOperations } from '../../api/portal.ts'
import type { Search } from '../../shell/navigation.tsx'
import { namesOf } from '../states.ts'

type OrderQuery = NonNullable<PortalOperations['portalListOrders']['query']>

export const NO_FILTERS = {
  status: undefined,
  reference: undefined,
  user_id: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
}

const TEXTS = ['reference', 'user_id', 'from', 'to', 'cursor'] as const

/** Filters of the address as the API takes them. Values that cannot be are left out. */
export function orderQuery(search: Search): OrderQuery {
  const status = namesOf('order').find((each) => each === search.status)
  const texts = TEXTS.flatMap((name) => {
    const value = search[name]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  return { ...(status === undefined ? {} : { status }), ...Object.fromEntries(texts) }
}
