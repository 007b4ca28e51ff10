import { readFields } from '../../lib/input/fields.ts'
import type { QueryParameters } from '../../lib/input/forms.ts'
import { code, required } from '../../lib/input/parameters.ts'
import type { NoticePeriod } from './notices.rules.ts'
import type { NetworkState } from './types.ts'

const CODE_LENGTH_MAX = 200

export const NETWORK_RULES = { product: required('product', code(CODE_LENGTH_MAX)) }

export function readNetworkParameters(query: QueryParameters): { product: string } {
  return readFields(NETWORK_RULES, { product: query.product })
}

/**
 * Returns the next state, or `before` when nothing changed. `byNotices` is the state by the notices; `isFulfilled` says
 * whether some provider takes orders. A change by a notice has the notice's date, so that nodes agree; a measured
 * change has the date at which it was seen.
 */
export function nextState(
  before: NetworkState | undefined,
  byNotices: NoticePeriod,
  isFulfilled: boolean,
  nowMs: number,
): NetworkState {
  const isInterrupted = byNotices.isOn || !isFulfilled
  const isNoticed = byNotices.isOn
  if (before?.isInterrupted !== isInterrupted) {
    const isDoneByNotice = isInterrupted ? isNoticed : (before?.isNoticed ?? true)
    return { isInterrupted, isNoticed, sinceMs: isDoneByNotice ? (byNotices.sinceMs ?? nowMs) : nowMs }
  }
  return before.isNoticed === isNoticed ? before : { ...before, isNoticed }
}
