/** First new numbers by account, as a notification of sequence_facts names them; undefined: it names none. */
export function readFirsts(payload: string): ReadonlyMap<bigint, bigint> | undefined {
  if (!/^\d+:\d+(,\d+:\d+)*$/.test(payload)) return undefined
  return new Map(
    payload.split(',').map((pair) => {
      const [resellerId = '', sequence = ''] = pair.split(':')
      return [BigInt(resellerId), BigInt(sequence)] as const
    }),
  )
}

/** Accounts whose new rows operators' pages have not been told of, and the first of them. */
export type Unread = { readonly firsts: Map<bigint, bigint>; isPartial: boolean }

export function nothingUnread(): Unread {
  return { firsts: new Map(), isPartial: false }
}

/** Limit of accounts that are remembered between two readings. */
const UNREAD_MAX = 2_000

/** Adds what a notification names. The first number of an account stays: reading goes on from it. */
export function addUnread(unread: Unread, payload: string): void {
  const firsts = readFirsts(payload)
  if (firsts === undefined) {
    unread.isPartial = true
    return
  }
  for (const [resellerId, sequence] of firsts) {
    if (unread.firsts.has(resellerId)) continue
    if (unread.firsts.size >= UNREAD_MAX) unread.isPartial = true
    else unread.firsts.set(resellerId, sequence)
  }
}
