// Masks for values worth money, shown to people who may not use them.

export type Masks = {
  readonly secret: (text: string) => string
  readonly link: (text: string) => string
  /** Masks the address of an account's receiver. */
  readonly url: (text: string) => string
}

/** Masks that change nothing. */
export const NO_MASKS: Masks = { secret: (text) => text, link: (text) => text, url: (text) => text }

/** Hides the query of a receiver's URL, which often holds a secret; viewers still see the address. */
export function urlWithoutQuery(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : `${url.slice(0, at)}?****`
}

const SECRET_NAMES = new Set(['pin', 'ic_number', 'icNumber'])
const LINK_NAMES = new Set(['voucherlink', 'voucherLink', 'voucher_link'])

/** Copies an event's data with every secret of a payment masked, at any depth. */
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
