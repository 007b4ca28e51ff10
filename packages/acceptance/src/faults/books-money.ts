import type { EntryRow, Records, Violation } from './records.ts'
import { groupBy, isFinal, isGivenBack, SUCCEEDED, VOIDED } from './records.ts'

// Checks of the ledger, the statement and the history.

/** Check: each payment was debited once, in the commit that took it, and given back once if and only if it failed or was voided. */
export function wrongEntries({ payments, entries }: Records): Violation[] {
  const byPayment = groupBy(
    entries.filter(({ paymentId }) => paymentId !== null),
    ({ account, paymentId }) => `${account} ${paymentId}`,
  )
  return payments.flatMap(({ account, refid, id, cost, code, takenMs }) => {
    const own = byPayment.get(`${account} ${id}`) ?? []
    const debits = own.filter(({ kind }) => kind === 'payment')
    const refunds = own.filter(({ kind }) => kind === 'refund')
    const say = (check: string, text: string): Violation => ({ check, text, account, refid })
    const found: Violation[] = []
    if (debits.length === 0) found.push(say('debit-missing', `payment ${id} (${code}) was never debited`))
    if (debits.length > 1)
      found.push(say('debit-doubled', `payment ${id} was debited ${debits.length} times`))
    const wanted = isGivenBack(code) ? 1 : 0
    if (refunds.length < wanted)
      found.push(say('refund-missing', `payment ${id} (${code}) was not given back`))
    if (refunds.length > wanted) {
      const check = wanted === 0 ? 'refund-wrong' : 'refund-doubled'
      found.push(say(check, `payment ${id} (${code}) was given back ${refunds.length} times`))
    }
    if (debits.some(({ postedMs }) => postedMs > takenMs))
      found.push(say('debit-late', `payment ${id} was debited after it was taken`))
    const isOff =
      debits.some(({ amount }) => amount !== -cost) || refunds.some(({ amount }) => amount !== cost)
    if (isOff) found.push(say('entry-amount', `an entry of payment ${id} is not its cost ${cost}`))
    return found
  })
}

/** Check: an entry of a payment names one that exists. */
export function strayEntries({ payments, entries }: Records): Violation[] {
  const known = new Set(payments.map(({ account, id }) => `${account} ${id}`))
  return entries
    .filter(({ account, paymentId }) => paymentId !== null && !known.has(`${account} ${paymentId}`))
    .map(({ account, sequence, paymentId }) => ({
      check: 'entry-stray',
      text: `entry ${sequence} is about payment ${paymentId}, which does not exist`,
      account,
    }))
}

/** Check: entries are numbered without a gap, each balance is the one before plus its amount, and the wallet agrees. */
export function brokenLedgers({ entries, wallets }: Records): Violation[] {
  const byAccount = groupBy(entries, ({ account }) => account)
  return wallets.flatMap(({ account, balance, sequence }) => {
    const own = [...(byAccount.get(account) ?? [])].sort((a, b) => a.sequence - b.sequence)
    const say = (text: string): Violation => ({ check: 'ledger-broken', text, account })
    let before = 0
    for (const [index, entry] of own.entries()) {
      if (entry.sequence !== index + 1) return [say(`entry ${index + 1} is missing`)]
      if (entry.balance !== before + entry.amount) {
        return [say(`entry ${entry.sequence}: ${before} and ${entry.amount} is not ${entry.balance}`)]
      }
      if (entry.balance < 0) return [say(`entry ${entry.sequence} leaves less than nothing`)]
      before = entry.balance
    }
    if (balance !== before || sequence !== own.length) {
      return [
        say(`the wallet says ${balance} after ${sequence} entries, the ledger ${before} after ${own.length}`),
      ]
    }
    return []
  })
}

const TYPES: Readonly<Record<string, string>> = {
  payment: 'T',
  refund: 'R',
  commission: 'C',
  deposit: 'D',
  adjustment: 'D',
}

function sum(list: readonly EntryRow[], kinds: readonly string[]): number {
  return list.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + amount, 0)
}

/** Check: the statement shows the ledger's entries, each once and in order, and its summary adds up. */
export function wrongStatements({ entries, statement, summaries, wallets }: Records): Violation[] {
  const shown = groupBy(statement, ({ account }) => account)
  const kept = groupBy(entries, ({ account }) => account)
  return wallets.flatMap(({ account }) => {
    const lines = shown.get(account) ?? []
    const own = [...(kept.get(account) ?? [])].sort((a, b) => a.sequence - b.sequence)
    const say = (text: string): Violation => ({ check: 'statement-wrong', text, account })
    if (lines.length !== own.length) return [say(`${lines.length} lines for ${own.length} entries`)]
    for (const [index, line] of lines.entries()) {
      const entry = own[index] as EntryRow
      const agrees =
        line.amount === entry.amount &&
        line.balance === entry.balance &&
        line.type === TYPES[entry.kind] &&
        line.paymentId === entry.paymentId
      if (!agrees) return [say(`line ${line.id} is not entry ${entry.sequence}`)]
    }
    const summary = summaries.find((each) => each.account === account)
    const wanted = {
      transactions: sum(own, ['payment']),
      deposits: sum(own, ['deposit', 'adjustment']),
      refunds: sum(own, ['refund']),
    }
    const isWhole =
      summary?.transactions === wanted.transactions &&
      summary.deposits === wanted.deposits &&
      summary.refunds === wanted.refunds
    return isWhole ? [] : [say(`the summary is ${JSON.stringify(summary)}, not ${JSON.stringify(wanted)}`)]
  })
}

/** Check: the history shows each payment once, in its present state, and nothing else. */
export function wrongHistories({ payments, history }: Records): Violation[] {
  const shown = groupBy(history, ({ account, id }) => `${account} ${id}`)
  const wrong = payments.flatMap(({ account, id, refid, code }): Violation[] => {
    const lines = shown.get(`${account} ${id}`) ?? []
    const say = (text: string): Violation[] => [{ check: 'history-wrong', text, account, refid }]
    if (lines.length !== 1) return say(`payment ${id} is in the history ${lines.length} times`)
    const [line] = lines
    return line?.code === code && line.refid === refid ? [] : say(`payment ${id} is shown as ${line?.code}`)
  })
  const known = new Set(payments.map(({ account, id }) => `${account} ${id}`))
  const strays = history
    .filter(({ account, id }) => !known.has(`${account} ${id}`))
    .map(({ account, id, refid }) => ({
      check: 'history-wrong',
      text: `the history shows ${id}, which does not exist`,
      account,
      refid,
    }))
  return [...wrong, ...strays]
}

const NEXT: Readonly<Record<string, readonly string[]>> = {
  accepted: ['processing', 'succeeded', 'failed'],
  processing: ['succeeded', 'failed'],
  succeeded: ['voided'],
  failed: [],
  voided: [],
}

function stateOf(code: number): string {
  if (code === 0) return 'accepted'
  if (!isFinal(code)) return 'processing'
  if (code === SUCCEEDED) return 'succeeded'
  return code === VOIDED ? 'voided' : 'failed'
}

/** Check: the timeline of each payment follows the table of states, and ends where the payment is. */
export function wrongTimelines({ payments, changes }: Records): Violation[] {
  const byPayment = groupBy(
    changes.filter(({ kind }) => kind === 'state'),
    ({ account, paymentId }) => `${account} ${paymentId}`,
  )
  return payments.flatMap(({ account, id, refid, code }) => {
    const codes = [0, ...(byPayment.get(`${account} ${id}`) ?? []).map((change) => change.code)]
    const say = (text: string): Violation[] => [{ check: 'state-path', text, account, refid }]
    for (const [index, after] of codes.entries()) {
      const before = codes[index - 1]
      if (before !== undefined && !NEXT[stateOf(before)]?.includes(stateOf(after))) {
        return say(`payment ${id} went ${codes.join(' → ')}`)
      }
    }
    return codes.at(-1) === code
      ? []
      : say(`payment ${id} is ${code}, its timeline ends with ${codes.at(-1)}`)
  })
}

/** Check: an entry that an operator was told of is posted once; one of unknown end at most once. */
export function wrongPostings({ steps, entries }: Records): Violation[] {
  const postings = steps.filter(({ kind }) => kind === 'deposit' || kind === 'approval')
  return [...groupBy(postings, ({ account, subject }) => `${account} ${subject}`).values()].flatMap((own) => {
    const { account, subject } = own[0] as (typeof own)[number]
    const posted = entries.filter((entry) => entry.account === account && entry.remarks === subject).length
    const isDone = own.some(({ told }) => told === 'done')
    if (posted > 1)
      return [{ check: 'deposit-doubled', text: `${subject} was posted ${posted} times`, account }]
    if (isDone && posted === 0) return [{ check: 'deposit-lost', text: `${subject} was not posted`, account }]
    return []
  })
}
