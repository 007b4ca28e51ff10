import type { FeedLine, PaymentRow, Received, Records, Violation } from './records.ts'
import { ATTEMPTS_MAX, groupBy, isFinal } from './records.ts'

// Checks of the callbacks that receivers got, and of the event feed.

type Callback = {
  readonly refid: string
  readonly code: number
  readonly cost: number
  readonly target: string
}

function readCallback({ body }: Received): Callback | undefined {
  try {
    const { data } = JSON.parse(body) as { data: Record<string, unknown> }
    const { refid, statusCode, cost, account } = data
    return {
      refid: String(refid),
      code: Number(statusCode),
      cost: Math.round(Number(cost) * 10_000),
      target: String(account),
    }
  } catch {
    return undefined
  }
}

/** Check: the receiver took the callback of each payment's last state, unless every attempt failed. */
export function missingCallbacks({ payments, received, deliveries }: Records): Violation[] {
  const taken = new Set(
    received.flatMap((request) => {
      const callback = readCallback(request)
      return request.isTaken && callback !== undefined
        ? [`${request.account} ${callback.refid} ${callback.code}`]
        : []
    }),
  )
  const givenUp = new Set(
    deliveries
      .filter(({ stream, status, attempts }) => {
        return stream === 'callback' && status === 'failed' && attempts >= ATTEMPTS_MAX
      })
      .map(({ account, paymentId, code }) => `${account} ${paymentId} ${code}`),
  )
  return payments
    .filter(({ account, refid, id, code }) => {
      if (!isFinal(code) || taken.has(`${account} ${refid} ${code}`)) return false
      return !givenUp.has(`${account} ${id} ${code}`)
    })
    .map(({ account, refid, id, code }) => ({
      check: 'callback-missing',
      text: `no callback of payment ${id} (${code}) arrived`,
      account,
      refid,
    }))
}

/** Check: all requests of one event have the same content and a right signature. */
export function differingCallbacks({ received }: Records): Violation[] {
  return [...groupBy(received, ({ account, eventId }) => `${account} ${eventId}`).values()].flatMap((own) => {
    const first = own[0] as Received
    const refid = readCallback(first)?.refid
    const { account, eventId } = first
    if (own.some(({ isVerified }) => !isVerified)) {
      return [{ check: 'callback-unsigned', text: `${eventId} came with a wrong signature`, account, refid }]
    }
    const bodies = new Set(own.map(({ body }) => body))
    if (bodies.size === 1) return []
    const text = `${eventId} came with ${bodies.size} contents: ${[...bodies].join(' and ')}`
    return [{ check: 'callback-differs', text, account, refid }]
  })
}

/** Check: a callback tells of a state that its payment was in. */
export function untrueCallbacks({ received, payments, changes }: Records): Violation[] {
  const rows = new Map(payments.map((row) => [`${row.account} ${row.refid}`, row]))
  const states = new Set(
    changes
      .filter(({ kind }) => kind === 'state')
      .map(({ account, paymentId, code }) => `${account} ${paymentId} ${code}`),
  )
  return received.flatMap((request): Violation[] => {
    const callback = readCallback(request)
    const { account, eventId } = request
    const say = (text: string): Violation[] => [
      { check: 'callback-untrue', text, account, refid: callback?.refid },
    ]
    if (callback === undefined) return say(`${eventId} cannot be read`)
    const row = rows.get(`${account} ${callback.refid}`)
    if (row === undefined) return say(`${eventId} is about ${callback.refid}, which does not exist`)
    if (!states.has(`${account} ${row.id} ${callback.code}`)) {
      return say(`${eventId} says ${callback.code}, a state that payment ${row.id} never had`)
    }
    const agrees = callback.cost === row.cost && callback.target === row.target
    return agrees ? [] : say(`${eventId} shows another cost or account than payment ${row.id}`)
  })
}

/** Check: the feed of each account is numbered without gaps, and no event is in it twice. */
export function brokenFeeds({ feed }: Records): Violation[] {
  return [...groupBy(feed, ({ account }) => account)].flatMap(([account, lines]) => {
    for (const [index, { sequence }] of lines.entries()) {
      const wanted = index + 1
      if (sequence > wanted) return [{ check: 'feed-hole', text: `number ${wanted} is missing`, account }]
      if (sequence < wanted)
        return [{ check: 'feed-doubled', text: `number ${sequence} comes again`, account }]
    }
    const ids = new Set(lines.map(({ id }) => id))
    return ids.size === lines.length
      ? []
      : [{ check: 'feed-doubled', text: 'an event has two numbers', account }]
  })
}

/** Check: the feed tells each state of each payment once and in order. */
export function wrongStatesInFeed({ feed, payments, changes }: Records): Violation[] {
  const told = groupBy(
    feed.filter(({ type }) => type.startsWith('payment.')),
    ({ account, paymentId }) => `${account} ${paymentId}`,
  )
  const moved = groupBy(
    changes.filter(({ kind }) => kind === 'state'),
    ({ account, paymentId }) => `${account} ${paymentId}`,
  )
  const known = new Set(payments.map(({ account, id }) => `${account} ${id}`))
  const wrong = payments.flatMap((row) => {
    const key = `${row.account} ${row.id}`
    const wanted = [0, ...(moved.get(key) ?? []).map(({ code }) => code)]
    return compareStates(row, told.get(key) ?? [], wanted)
  })
  const strays = [...told.keys()]
    .filter((key) => !known.has(key))
    .map((key) => ({ check: 'feed-extra', text: `the feed tells of ${key}, which does not exist` }))
  return [...wrong, ...strays]
}

function compareStates(row: PaymentRow, lines: readonly FeedLine[], wanted: readonly number[]): Violation[] {
  const codes = lines.map(({ code }) => code ?? -1)
  if (codes.join() === wanted.join()) return []
  const { account, refid, id } = row
  const check =
    codes.length < wanted.length ? 'feed-missing' : codes.length > wanted.length ? 'feed-extra' : 'feed-order'
  return [
    {
      check,
      text: `payment ${id} was ${wanted.join(', ')}; the feed says ${codes.join(', ')}`,
      account,
      refid,
    },
  ]
}

const MOVED = /^balance\.(added|deducted|refunded)$/

/** Check: the feed tells each entry of each wallet once, in order and with its balance. */
export function wrongEntriesInFeed({ feed, entries, wallets }: Records): Violation[] {
  const told = groupBy(
    feed.filter(({ type }) => MOVED.test(type)),
    ({ account }) => account,
  )
  const kept = groupBy(entries, ({ account }) => account)
  return wallets.flatMap(({ account }) => {
    const own = [...(kept.get(account) ?? [])].sort((a, b) => a.sequence - b.sequence)
    const lines = told.get(account) ?? []
    const at = own.findIndex(({ balance }, index) => lines[index]?.balance !== balance)
    if (at >= 0) {
      const check = lines.length < own.length ? 'feed-missing' : 'feed-order'
      return [{ check, text: `the feed does not tell of entry ${own[at]?.sequence} in its place`, account }]
    }
    return lines.length === own.length
      ? []
      : [{ check: 'feed-extra', text: `${lines.length} events tell of ${own.length} entries`, account }]
  })
}
