import type { Database } from '../../../db/database.ts'
import type { Outcome, Provider, QueryAnswer } from '../../providers/port/types.ts'
import { nextQuestionMs } from '../core/schedule.rules.ts'
import type { Resolver } from '../outcomes/resolve.service.ts'
import { judgeReversal } from '../outcomes/reversals.service.ts'
import type { OpenAttemptRow } from './open-attempts.sql.ts'
import { askOpenLater, closeOpenAttempt, isEnding } from './open-attempts.sql.ts'
import type { AskingSettings } from './questions.service.ts'
import { ask, provesAbsence, reversedAt } from './questions.service.ts'

/**
 * Number of questions after which operators are told of an undecided attempt: about two minutes by the schedule of
 * questions.
 */
const ALERT_AFTER_QUESTIONS = 12
/** Limit of the questions about an attempt that has ended its payment. */
const ENDED_QUESTIONS_MAX = 5

const UNASKED: QueryAnswer = { kind: 'pending' }

/**
 * Asks about an attempt that is not the work of its payment any more. A decision of the provider is handled as every
 * answer: a success ends a payment that is still open, and raises an alert with both references where another attempt
 * has ended it; a failure closes the attempt. This function never sends or takes back an order: an operator decides
 * about a second fulfilment.
 */
export async function handleOpenAttempt(
  settings: AskingSettings & { database: Database; resolver: Resolver },
  row: OpenAttemptRow,
): Promise<void> {
  const { database, resolver, providers } = settings
  const provider = providers.byCode(row.provider)
  // A question that sends the order again may cause a second purchase: a callback or a person decides.
  const answer = provider?.asksByRepeating === undefined ? await ask(settings, row) : UNASKED
  const decision = await decisionIn(settings, answer, row)
  if (decision === 'taken') {
    await closeOpenAttempt(database, row, `was taken back by ${row.provider}`)
  } else if (decision !== undefined) {
    await resolver.submit({
      resellerId: row.reseller_id,
      id: row.payment_id,
      attempt: row.attempt,
      about: { provider: row.provider, product: row.product_code },
      outcome: decision,
      evidence: 'asked about again',
      nextMs: 0,
    })
  } else await leaveUndecided(settings, row, answer, provider)
}

/** Returns what the provider has decided; undefined: nothing. */
async function decisionIn(
  { database }: { readonly database: Database },
  answer: QueryAnswer,
  row: OpenAttemptRow,
): Promise<Extract<Outcome, { kind: 'succeeded' | 'failed' }> | 'taken' | undefined> {
  switch (answer.kind) {
    case 'succeeded':
    case 'failed':
      return answer
    case 'not_acted':
      return { ...answer, kind: 'failed' }
    case 'reversed': {
      const judged = await judgeReversal(database, answer, reversedAt(row))
      return judged === 'open' ? undefined : judged
    }
    default:
      return undefined
  }
}

/** Plans the next question, or none where no answer can be expected any more. */
async function leaveUndecided(
  settings: AskingSettings & { database: Database },
  row: OpenAttemptRow,
  answer: QueryAnswer,
  provider: Provider | undefined,
): Promise<void> {
  const { database } = settings
  const isAbsent = answer.kind === 'not_found'
  // The payment has its end: the question was whether the provider still says the same. One that has forgotten the order,
  // or may not be asked, does not contradict it.
  const isOver =
    isAbsent || provider?.asksByRepeating !== undefined || row.questions + 1 >= ENDED_QUESTIONS_MAX
  if (isOver && (await isEnding(database, row))) {
    await closeOpenAttempt(database, row, `was asked about again; ${row.provider} said nothing new`)
    return
  }
  if (isAbsent && provider !== undefined && provesAbsence(settings, provider, row)) {
    await closeOpenAttempt(database, row, `was never heard of by ${row.provider}`)
    return
  }
  await askOpenLater(database, row, nextQuestionMs(row.questions), ALERT_AFTER_QUESTIONS)
}
