// What is worth money, for those who may not use it.

export type Masks = {
  readonly secret: (text: string) => string
  readonly link: (text: string) => string
  /** Where an account's receivers are. */
  readonly url: (text: string) => string
}

/** The masks of nobody: what is shown stays as it is. */
export const NO_MASKS: Masks = { secret: (text) => text, link: (text) => text, url: (text) => text }

/** Receivers are often told apart by something secret in the query: viewers see where it goes, and not that. */
export function urlWithoutQuery(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : `${url.slice(0, at)}?****`
}

const SECRET_NAMES = new Set(['pin', 'ic_number', 'icNumber'])
const LINK_NAMES = new Set(['voucherlink', 'voucherLink', 'voucher_link'])

/** A copy of an event's data with every secret of a payment masked, however deep it lies. */
export function maskedData(value: unknown, masks: Masks): unknown {
  if (masks === NO_MASKS) return value
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
