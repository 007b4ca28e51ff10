import type { ClientAnswer, Exchange, PaymentRow, Records, Violation } from './records.ts'
import { ACCEPTED, groupBy, isFinal, PROCESSING, SUCCEEDED, VOIDED } from './records.ts'

// Checks of the clients' logs: each word of the service is held against its later words, and against the books.

type AnsweredPayment = Extract<ClientAnswer, { kind: 'payment' }>
type Answered = Exchange & { readonly told: AnsweredPayment }

function isAnswered(exchange: Exchange): exchange is Answered {
  return exchange.told.kind === 'payment'
}

const keyOf = ({ account, refid }: { account: string; refid: string }) => `${account} ${refid}`

function about(
  { account, refid }: { account: string; refid: string },
  check: string,
  text: string,
): Violation {
  return { check, text, account, refid }
}

/** Check: a payment that a client was told of exists, once and under that id. */
export function lostPayments({ exchanges, payments }: Records): Violation[] {
  const rows = groupBy(payments, keyOf)
  return [...groupBy(exchanges.filter(isAnswered), keyOf)].flatMap(([key, told]) => {
    const first = told[0] as Answered
    const found = rows.get(key) ?? []
    const ids = new Set(told.map((exchange) => exchange.told.id))
    if (ids.size > 1) return [about(first, 'two-payments', `one refid, told as ${[...ids].join(' and ')}`)]
    if (found.length === 0) {
      return [about(first, 'lost-payment', `the client was told of ${first.told.id}, which does not exist`)]
    }
    if (found.every(({ id }) => id !== first.told.id)) {
      return [about(first, 'two-payments', `told as ${first.told.id}, in the books as ${found[0]?.id}`)]
    }
    return []
  })
}

/** Check: a refid has one payment at most. */
export function repeatedRefids({ payments }: Records): Violation[] {
  return [...groupBy(payments, keyOf).values()]
    .filter((rows) => rows.length > 1)
    .map((rows) => {
      const ids = rows.map(({ id }) => id).join(' and ')
      return about(rows[0] as PaymentRow, 'two-payments', `one refid has the payments ${ids}`)
    })
}

const RANKS = new Map([
  [ACCEPTED, 0],
  [PROCESSING, 1],
])

function rankOf(code: number): number {
  return RANKS.get(code) ?? (code === VOIDED ? 3 : 2)
}

function mayFollow(before: number, after: number): boolean {
  if (isFinal(before) && isFinal(after) && before !== after) return before === SUCCEEDED && after === VOIDED
  return rankOf(after) >= rankOf(before)
}

/** Check: a state that a client was told never goes back, and a final one never changes but by a void. */
export function changedAnswers({ exchanges }: Records): Violation[] {
  return [...groupBy(exchanges.filter(isAnswered), keyOf).values()].flatMap((told) => {
    for (const earlier of told) {
      const later = told.find(
        ({ sentMs, told: { code } }) => sentMs >= earlier.toldMs && !mayFollow(earlier.told.code, code),
      )
      if (later !== undefined) {
        return [about(earlier, 'answer-changed', `told ${earlier.told.code}, later ${later.told.code}`)]
      }
    }
    return []
  })
}

/** Check: the last word of the service to a client is true in the books. */
export function untrueAnswers({ exchanges, payments }: Records): Violation[] {
  const rows = new Map(payments.map((row) => [keyOf(row), row]))
  return [...groupBy(exchanges.filter(isAnswered), keyOf)].flatMap(([key, told]) => {
    const row = rows.get(key)
    if (row === undefined) return []
    const wrong = told.find(({ told: { code } }) => !mayFollow(code, row.code))
    if (wrong === undefined) return []
    return [about(row, 'answer-untrue', `told ${wrong.told.code}, in the books ${row.code}`)]
  })
}

/**
 * Check: a client whose last request was rejected gives the money back to its customer, so nothing may exist, whatever
 * became of its earlier requests.
 */
export function paidAfterRejection({ exchanges, payments }: Records): Violation[] {
  const rows = new Map(payments.map((row) => [keyOf(row), row]))
  const own = exchanges.filter(({ isReplay }) => !isReplay)
  return [...groupBy(own, keyOf)].flatMap(([key, list]) => {
    const last = list.reduce((latest, each) => (each.sentMs >= latest.sentMs ? each : latest))
    const row = rows.get(key)
    if (last.told.kind !== 'rejected' || row === undefined) return []
    const text = `rejected with ${last.told.code} ${last.told.remarks}, and yet payment ${row.id} exists (${row.code})`
    return [about(row, 'rejected-but-paid', text)]
  })
}

/** Check: a payment that nobody asked for does not exist. */
export function unaskedPayments({ exchanges, payments }: Records): Violation[] {
  const asked = new Set(exchanges.map(keyOf))
  return payments
    .filter((row) => !asked.has(keyOf(row)))
    .map((row) => about(row, 'unasked-payment', `payment ${row.id} has a refid that no client sent`))
}

/** Check: the bytes of an answered request are refused when they come again. */
export function acceptedReplays({ exchanges }: Records): Violation[] {
  return exchanges
    .filter(({ isReplay, told }) => isReplay && (told.kind === 'payment' || told.kind === 'rejected'))
    .map((each) =>
      about(each, 'nonce-accepted-twice', `node ${each.node} took a request that was used before`),
    )
}

/** Check: no correct client gets an answer that the contract does not have for it. */
export function strangeAnswers({ exchanges }: Records): Violation[] {
  return exchanges.flatMap((each) => {
    const { told, isReplay } = each
    if (told.kind === 'strange') return [about(each, 'strange-answer', told.why)]
    if (told.kind === 'nonce_reused' && !isReplay) {
      return [about(each, 'strange-answer', 'a fresh nonce was called used')]
    }
    return []
  })
}

/** Check: every payment that a client follows reaches a final state that the client is told. */
export function untoldEnds({ exchanges, payments }: Records): Violation[] {
  const rows = new Map(payments.map((row) => [keyOf(row), row]))
  const own = exchanges.filter(({ isReplay }) => !isReplay)
  return [...groupBy(own, keyOf)].flatMap(([key, list]) => {
    const row = rows.get(key)
    if (row === undefined) return []
    if (list.some(({ told }) => told.kind === 'payment' && isFinal(told.code))) return []
    if (list.some(({ told }) => told.kind === 'rejected' || told.kind === 'strange')) return []
    return [about(row, 'end-untold', `the client never learnt the end of payment ${row.id} (${row.code})`)]
  })
}
