import type { Database } from '../../../db/database.ts'
import type { QueryAnswer } from '../../providers/port/types.ts'
import { nextQuestionMs } from '../core/schedule.rules.ts'
import type { Resolver } from '../outcomes/resolve.service.ts'
import type { OpenAttemptRow } from './open-attempts.sql.ts'
import { askOpenLater, closeOpenAttempt } from './open-attempts.sql.ts'
import type { AskingSettings } from './questions.service.ts'
import { ask, provesAbsence } from './questions.service.ts'

/**
 * Number of questions after which operators are told of an undecided attempt: about two minutes by the schedule of
 * questions.
 */
const ALERT_AFTER_QUESTIONS = 12

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
  if (answer.kind === 'succeeded' || answer.kind === 'failed' || answer.kind === 'not_acted') {
    await resolver.submit({
      resellerId: row.reseller_id,
      id: row.payment_id,
      attempt: row.attempt,
      about: { provider: row.provider, product: row.product_code },
      outcome: answer.kind === 'not_acted' ? { ...answer, kind: 'failed' } : answer,
      nextMs: 0,
    })
  } else if (
    answer.kind === 'not_found' &&
    provider !== undefined &&
    provesAbsence(settings, provider, row)
  ) {
    await closeOpenAttempt(database, row, `was never heard of by ${row.provider}`)
  } else {
    await askOpenLater(database, row, nextQuestionMs(row.questions), ALERT_AFTER_QUESTIONS)
  }
}
