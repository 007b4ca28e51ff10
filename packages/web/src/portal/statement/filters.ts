import type { Search } from '../../shell/navigation.tsx'

export const TYPES = ['deposit', 'payment', 'refund', 'commission'] as const

export type EntryType = (typeof TYPES)[number]

/** Filters of the address as the API takes them. Values that cannot be are left out. */
export function entryQuery({ type, from, to }: Search) {
  const known = TYPES.find((each) => each === type)
  return {
    ...(known === undefined ? {} : { type: known }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}

export const NO_FILTERS = { type: undefined, from: undefined, to: undefined, cursor: undefined }

/** Month of the address, such as 2026-10; undefined when there is none. */
export function monthOf({ month }: Search): string | undefined {
  return month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined
}
