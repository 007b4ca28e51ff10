import type { PortalOperations } from '../../api/portal.ts'
import type { Search } from '../../shell/navigation.tsx'
import { namesOf } from '../states.ts'

type CaseQuery = NonNullable<PortalOperations['portalListCases']['query']>

export const KINDS = ['dispute', 'void'] as const

export const NO_FILTERS = {
  state: undefined,
  kind: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
}

/** Filters of the address as the API takes them. Values that cannot be are left out. */
export function caseQuery({ state, kind, from, to, cursor }: Search): CaseQuery {
  const knownState = namesOf('case').find((each) => each === state)
  const knownKind = KINDS.find((each) => each === kind)
  return {
    ...(knownState === undefined ? {} : { state: knownState }),
    ...(knownKind === undefined ? {} : { kind: knownKind }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(cursor === undefined ? {} : { cursor }),
  }
}
