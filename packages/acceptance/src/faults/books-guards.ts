import type { Guards } from './guards.ts'
import type { Exchange, PaymentRow, Records, Violation } from './records.ts'
import { groupBy, isGivenBack, toUnits } from './records.ts'

// Checks of the guards: quotes, limits, caps and windows of duplicates, each against the payments themselves.

const keyOf = ({ account, refid }: { account: string; refid: string }) => `${account} ${refid}`

type Quoting = Exchange & Required<Pick<Exchange, 'quoted'>>

function quotingOf({ exchanges }: Records): Quoting[] {
  return exchanges.filter((each): each is Quoting => each.quoted !== undefined)
}

/** Check: a quote pays once, whoever names it. */
export function usedQuotes(records: Records): Violation[] {
  const rows = new Map(records.payments.map((row) => [keyOf(row), row]))
  return [...groupBy(quotingOf(records), ({ quoted }) => quoted.id)].flatMap(([id, own]) => {
    const paid = [...new Set(own.map(keyOf))].flatMap((key) => rows.get(key) ?? [])
    const [first] = paid
    if (first === undefined || paid.length === 1) return []
    const text = `quote ${id} paid ${paid.map((row) => row.id).join(' and ')}`
    return [{ check: 'quote-used-twice', text, account: first.account, refid: first.refid }]
  })
}

/** Check: a payment with a quote costs what its client was told, and is the one that the quote names. */
export function wrongQuotes(records: Records): Violation[] {
  const rows = new Map(records.payments.map((row) => [keyOf(row), row]))
  const kept = new Map(records.quotes.map((row) => [row.id, row]))
  return [...groupBy(quotingOf(records), keyOf)].flatMap(([key, own]) => {
    const [row, quoted] = [rows.get(key), own[0]?.quoted]
    if (row === undefined || quoted === undefined) return []
    const { account, refid } = row
    const named = kept.get(quoted.id)?.paymentId
    if (row.cost === quoted.cost && named === row.id) return []
    const text = `payment ${row.id} costs ${row.cost}, quoted was ${quoted.cost}; the quote names ${named}`
    return [{ check: 'quote-wrong', text, account, refid }]
  })
}

/** Payments of an account that count: a failure or a void gives its part back. */
function countedOf({ payments }: Records, { account }: Guards): PaymentRow[] {
  return payments.filter((row) => row.account === account && !isGivenBack(row.code))
}

/** Check: no more payments than the limits of an account and a day, of a reseller and a month. */
export function overLimits(records: Records): Violation[] {
  return records.guards.flatMap((guards) => {
    const { account, perAccount, perMonth } = guards
    const counted = countedOf(records, guards)
    const sums = [
      ...[...groupBy(counted, ({ target, day }) => `${target} on ${day}`)].map(
        ([what, own]) => [what, own.length, perAccount] as const,
      ),
      ...[...groupBy(counted, ({ day }) => day.slice(0, 7))].map(
        ([what, own]) => [what, own.length, perMonth] as const,
      ),
    ]
    return sums.flatMap(([what, found, most]) =>
      found > most ? [{ check: 'limit-passed', text: `${found} of ${most} payments: ${what}`, account }] : [],
    )
  })
}

/** Check: no key has paid more in a day than its cap. Each account pays with one key. */
export function overCaps(records: Records): Violation[] {
  return records.guards.flatMap((guards) => {
    const { account, dailyCap } = guards
    return [...groupBy(countedOf(records, guards), ({ day }) => day)].flatMap(([day, own]) => {
      const spent = own.reduce((sum, { cost }) => sum + cost, 0)
      if (spent <= toUnits(dailyCap)) return []
      return [{ check: 'cap-passed', text: `${spent} paid on ${day}, of ${toUnits(dailyCap)}`, account }]
    })
  })
}

/** A step of the clock between two statements of one commit. */
const STEP_MS = 1_000

/** Check: the same was not paid again within the window, unless the first one had failed or been voided. */
export function repeatedPayments(records: Records): Violation[] {
  return records.guards.flatMap(({ account, windowSeconds }) => {
    const own = records.payments.filter((row) => row.account === account)
    const same = groupBy(own, ({ product, target, cost }) => `${product} ${target} ${cost}`)
    return [...same.values()].flatMap((rows) => {
      const sorted = rows.toSorted((one, other) => one.takenMs - other.takenMs)
      return sorted.flatMap((row, index) => {
        const before = sorted
          .slice(0, index)
          .find(
            ({ takenMs, givenBackMs }) =>
              takenMs > row.takenMs - windowSeconds * 1_000 &&
              (givenBackMs === null || givenBackMs > row.takenMs + STEP_MS),
          )
        if (before === undefined) return []
        const text = `payment ${row.id} is ${before.id} again, ${row.takenMs - before.takenMs} ms later`
        return [{ check: 'payment-repeated', text, account, refid: row.refid }]
      })
    })
  })
}

/** Check: what is counted is what was paid. */
export function driftedCounts({ drifts }: Records): Violation[] {
  return drifts.map(({ account, what }) => ({
    check: 'count-drifted',
    text: `${what} is not the sum of its payments`,
    account,
  }))
}
