import { assert, RequestError } from '../../lib/errors.ts'
import { getReseller } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import { SAVED_FILTER_INPUT, SAVED_FILTER_KEY } from './filters.codec.ts'
import { deleteFilter, insertFilter, listFilterRows, lockFilters } from './filters.sql.ts'
import type { SavedFilter } from './types.ts'
import { FILTERS_MAX } from './types.ts'

/** Saves a view of the payments, for the shop or for oneself. */
export const saveFilter = act({
  name: 'filter.save',
  input: SAVED_FILTER_INPUT,
  async run(tx, { account, name, isShared, query }, by: By<unknown>) {
    const { id } = await getReseller(tx, account)
    await lockFilters(tx, id)
    const member = memberOf(by)
    const memberId = isShared ? null : member
    const present = await listFilterRows(tx, id, member, 2 * FILTERS_MAX)
    if (present.filter((each) => each.memberId === memberId).length >= FILTERS_MAX) return { refuse: full() }
    const result = await insertFilter(tx, id, { memberId, name, query })
    return { target: { kind: 'filters', id: account }, before: null, after: loggedOf(result), result }
  },
})

export const dropFilter = act({
  name: 'filter.drop',
  input: SAVED_FILTER_KEY,
  async run(tx, { account, id }, by: By<unknown>) {
    const reseller = await getReseller(tx, account)
    await lockFilters(tx, reseller.id)
    const result = await deleteFilter(tx, reseller.id, memberOf(by), id)
    if (result === undefined) return { refuse: unknown() }
    return { target: { kind: 'filters', id: account }, before: loggedOf(result), after: null, result }
  },
})

function memberOf({ caller }: By<unknown>): bigint {
  assert(caller.kind === 'member', 'filters are saved by members')
  return caller.userId
}

/** The query may name a customer's number, which is in no log. */
function loggedOf({ id, name, memberId }: SavedFilter) {
  return { id: String(id), name, shared: memberId === null }
}

function full(): RequestError {
  return new RequestError({
    status: 409,
    code: 'limit_reached',
    publicText: `A shop, and each of its people, has at most ${FILTERS_MAX} saved filters.`,
  })
}

function unknown(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such filter.' })
}
