import {
  acceptedReplays,
  changedAnswers,
  lostPayments,
  paidAfterRejection,
  repeatedRefids,
  strangeAnswers,
  unaskedPayments,
  untoldEnds,
  untrueAnswers,
} from './books-clients.ts'
import {
  brokenFeeds,
  differingCallbacks,
  missingCallbacks,
  untrueCallbacks,
  wrongEntriesInFeed,
  wrongStatesInFeed,
} from './books-events.ts'
import {
  driftedCounts,
  overCaps,
  overLimits,
  repeatedPayments,
  usedQuotes,
  wrongQuotes,
} from './books-guards.ts'
import {
  brokenLedgers,
  strayEntries,
  wrongEntries,
  wrongHistories,
  wrongPostings,
  wrongStatements,
  wrongTimelines,
} from './books-money.ts'
import {
  contradictions,
  differentOutcomes,
  doubledOrders,
  strayOrders,
  wrongDecisions,
  wrongVoids,
} from './books-suppliers.ts'
import { differingWebhooks, missingWebhooks, untrueWebhooks } from './books-webhooks.ts'
import type { Records, Violation } from './records.ts'

type Check = (records: Records) => Violation[]

/** Checks in the order in which a reader wants to see what they find: money first. */
const CHECKS: readonly Check[] = [
  lostPayments,
  repeatedRefids,
  paidAfterRejection,
  unaskedPayments,
  wrongEntries,
  strayEntries,
  brokenLedgers,
  wrongPostings,
  usedQuotes,
  wrongQuotes,
  overLimits,
  overCaps,
  repeatedPayments,
  driftedCounts,
  strayOrders,
  doubledOrders,
  differentOutcomes,
  contradictions,
  wrongVoids,
  wrongDecisions,
  changedAnswers,
  untrueAnswers,
  untoldEnds,
  wrongTimelines,
  acceptedReplays,
  strangeAnswers,
  wrongStatements,
  wrongHistories,
  missingCallbacks,
  differingCallbacks,
  untrueCallbacks,
  missingWebhooks,
  differingWebhooks,
  untrueWebhooks,
  brokenFeeds,
  wrongStatesInFeed,
  wrongEntriesInFeed,
  leftWork,
  unreadPages,
  deaths,
]

/** Holds everything that was said against everything that was written. Returns each broken rule by its name. */
export function checkBooks(records: Records): Violation[] {
  return CHECKS.flatMap((check) => check(records))
}

/** Check: nothing is left to do when nothing disturbs the service any more. */
function leftWork({ left, payments }: Records): Violation[] {
  const rows = new Map(payments.map((row) => [row.id, row]))
  return left.map(({ what, subject, account }) => ({
    check: 'unsettled',
    text: `${what}: ${subject}`,
    account,
    refid: rows.get(subject)?.refid,
  }))
}

/** Check: the service answers what it is asked when nothing disturbs it any more. */
function unreadPages({ unread }: Records): Violation[] {
  return unread.map(({ account, what }) => ({ check: 'unanswered', text: `no answer: ${what}`, account }))
}

/** Check: no process ends but by the hand of the harness. */
function deaths({ deaths: list }: Records): Violation[] {
  return list.map(({ text }) => ({ check: 'node-ended', text }))
}
