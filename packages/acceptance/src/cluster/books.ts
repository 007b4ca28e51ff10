import { checkBooks } from '../faults/books.ts'
import type { Kinds, Load } from '../faults/clients.ts'
import type { Sources } from '../faults/dump.ts'
import { dumpWorld } from '../faults/dump.ts'
import type { Exchange, PaymentRow, Records, Violation, WorldEvent } from '../faults/records.ts'
import { isFinal, SUCCEEDED } from '../faults/records.ts'
import type { Settling } from '../faults/run.ts'
import { firstOfEach, settle } from '../faults/run.ts'
import { tellStory } from '../faults/story.ts'

// Comparison of all books of a cluster, by the rules of the fault harness, and by one more: nobody disturbs the provider
// here, so each payment ends as its account says.

const SETTLE_MS = 240_000
/** Code of an account that fails at the provider. */
const FAILED_THERE = 48
const FAILS = '60123450048'
const DECIDED_LATER = '60123451002'

/** Payments of the clients. None of them makes the provider seem ill, which would be a reason to fail others. */
export const KINDS: Kinds = [
  [60, { product: 'KITA', account: null }],
  [20, { product: 'KITA', account: FAILS }],
  [20, { product: 'KITA', account: DECIDED_LATER }],
]

/** Check: a payment ends as the provider decides about its account, whichever part of the cluster died meanwhile. */
export function wrongEnds({ payments }: Pick<Records, 'payments'>): Violation[] {
  return payments
    .filter(({ code, target }) => isFinal(code) && code !== (target === FAILS ? FAILED_THERE : SUCCEEDED))
    .map(({ account, refid, id, code }) => ({
      check: 'wrong-end',
      text: `payment ${id} ended with ${code}`,
      account,
      refid,
    }))
}

export type ClusterBooks = Sources &
  Settling & {
    readonly seed: number
    readonly load: Load
    /** Requests and answers of all clients since the cluster was up. */
    readonly exchanges: readonly Exchange[]
    readonly faults: readonly WorldEvent[]
    /** Returns the timeline of a payment as `warungd payment trace` prints it. */
    trace(payment: Pick<PaymentRow, 'account' | 'refid'>): Promise<string>
  }

export type Comparison = {
  readonly violations: readonly Violation[]
  /** Stories of the first violation of each kind, with the timelines of their payments. */
  readonly stories: readonly string[]
  readonly figures: Readonly<Record<string, number>>
}

const NO_OPERATORS = { decideUndecided: async () => {} }

/** Lets everything settle and compares all books. The load ends. */
export async function compareBooks(books: ClusterBooks): Promise<Comparison> {
  const { load, faults: events, seed } = books
  const left = await settle(books, load, NO_OPERATORS, SETTLE_MS)
  const nothing = { voids: [], steps: [], deaths: [] }
  const records: Records = {
    ...(await dumpWorld(books)),
    ...nothing,
    exchanges: books.exchanges,
    events,
    left,
  }
  const violations = [...checkBooks(records), ...wrongEnds(records)]
  const stories: string[] = []
  for (const violation of firstOfEach(violations)) {
    const { account, refid } = violation
    const trace = account && refid && (await books.trace({ account, refid }))
    stories.push([tellStory(records, violation, seed), trace || []].flat().join('\n'))
  }
  return { violations, stories, figures: figuresOf(records) }
}

function figuresOf({
  payments,
  exchanges,
  received,
  lines,
  events,
  changes,
}: Records): Record<string, number> {
  const ended = (code: number) => payments.filter((row) => row.code === code).length
  const told = (kind: string) => exchanges.filter((each) => each.told.kind === kind && !each.isReplay).length
  return {
    faults: events.length,
    payments: payments.length,
    succeeded: ended(SUCCEEDED),
    'failed at the provider, money back': ended(FAILED_THERE),
    requests: exchanges.length,
    'requests without an answer, or with 5xx, sent again': told('unknown'),
    'rejections (the poor account, and 49)': told('rejected'),
    'bytes sent again by a thief, none accepted': exchanges.filter(({ isReplay }) => isReplay).length,
    'orders at the provider': lines.length,
    'orders given back unsent, and sent later': changes.filter(({ detail }) =>
      detail.includes('the one before was never sent'),
    ).length,
    'callbacks received': received.length,
  }
}
