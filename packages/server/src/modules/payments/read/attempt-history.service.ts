import type { Database } from '../../../db/database.ts'
import { listConnections } from '../../providers/connections/connections.service.ts'
import type { Payment } from '../core/types.ts'
import { historyOf } from './attempt-history.rules.ts'
import {
  findPaymentProvider,
  findRequestId,
  listAttemptChanges,
  listAttemptNames,
  listWaitingAttempts,
} from './attempt-history.sql.ts'
import type { AttemptHistory } from './attempt-history.types.ts'

const CHANGES_MAX = 200

/** Reads every attempt of a payment for operators, with its provider, our reference and the answers about it. */
export async function getAttemptHistory(database: Database, payment: Payment): Promise<AttemptHistory> {
  const { resellerId, id } = payment
  const changes = await listAttemptChanges(database, resellerId, id, CHANGES_MAX)
  const waiting = await listWaitingAttempts(database, resellerId, id)
  const names = new Map((await listConnections(database)).map(({ code, name }) => [code, name]))
  return historyOf({
    paymentId: id,
    createdAt: payment.createdAt,
    serialNumber: payment.output.serialNumber,
    provider: await findPaymentProvider(database, resellerId, id),
    changes: changes.map(({ provider_before: providerBefore, ...change }) => ({ ...change, providerBefore })),
    waiting: waiting.map((row) => ({
      attempt: row.attempt,
      provider: row.provider,
      submittedAt: row.submitted_at,
      questions: row.questions,
      isUnsent: row.is_unsent,
      nextAt: row.next_at,
    })),
    names: await listAttemptNames(database, resellerId, id),
    nameOf: (code) => names.get(code) ?? code,
  })
}

/** Finds the id of the request that made the payment; undefined: the payment is final, or no request made it. */
export function findPaymentRequest(
  database: Database,
  { resellerId, id }: Pick<Payment, 'resellerId' | 'id'>,
): Promise<string | undefined> {
  return findRequestId(database, resellerId, id)
}
