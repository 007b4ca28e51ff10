import type { Search } from '../../shell/navigation.tsx'
import { isoDayFromToday } from '../../text/dates.ts'

/** Returns a filter of the address as a part of a query; nothing when it is not set. */
export function filterOf<Name extends string>(search: Search, name: Name): { [K in Name]?: string } {
  const value = search[name]
  return (value === undefined || value === '' ? {} : { [name]: value }) as { [K in Name]?: string }
}

/** Returns a filter whose value is one of few; any other value of the address is left out. */
export function choiceOf<Name extends string, Value extends string>(
  search: Search,
  name: Name,
  values: readonly Value[],
): { [K in Name]?: Value } {
  const value = values.find((each) => each === search[name])
  return (value === undefined ? {} : { [name]: value }) as { [K in Name]?: Value }
}

/** Returns `from` and `to` of the address as the API's range of days. One day alone reaches to today, or is that day. */
export function daysOf({ from, to }: Search): { days?: string } {
  if (from === undefined && to === undefined) return {}
  const first = from ?? to ?? ''
  const last = to ?? isoDayFromToday(0)
  return { days: first <= last ? `${first} - ${last}` : `${last} - ${first}` }
}
