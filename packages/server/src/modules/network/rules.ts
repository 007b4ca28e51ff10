import { readFields } from '../../lib/input/fields.ts'
import type { QueryParameters } from '../../lib/input/forms.ts'
import { code, required } from '../../lib/input/parameters.ts'
import type { Stretch } from './notices.rules.ts'
import type { NetworkState } from './types.ts'

const CODE_LENGTH_MAX = 200

export const NETWORK_RULES = { product: required('product', code(CODE_LENGTH_MAX)) }

export function readNetworkParameters(query: QueryParameters): { product: string } {
  return readFields(NETWORK_RULES, { product: query.product })
}

/**
 * The state that follows; the one before where nothing changed. `told` is what the notices say, `isFulfilled`
 * whether somebody takes orders. What notices do is dated by them, so that nodes agree; what is measured, by when
 * it was seen.
 */
export function nextState(
  before: NetworkState | undefined,
  told: Stretch,
  isFulfilled: boolean,
  nowMs: number,
): NetworkState {
  const isInterrupted = told.isOn || !isFulfilled
  const isNoticed = told.isOn
  if (before?.isInterrupted !== isInterrupted) {
    const isDoneByNotice = isInterrupted ? isNoticed : (before?.isNoticed ?? true)
    return { isInterrupted, isNoticed, sinceMs: isDoneByNotice ? (told.sinceMs ?? nowMs) : nowMs }
  }
  return before.isNoticed === isNoticed ? before : { ...before, isNoticed }
}
