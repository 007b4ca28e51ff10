import type { Logger } from 'pino'
import type { OnProblem, PaymentNames } from '../../lib/observing/payment-stages.ts'
import type { AlertKind, AlertReport } from '../../modules/alerts/core/types.ts'

/** Writers of the log lines that are no requests. Lines about a payment have the same fields as the request's line. */
export type LogLines = {
  readonly onProblem: OnProblem
  onAlert(report: AlertReport): void
  onCallbackTrouble(provider: string, text: string, about?: PaymentNames): void
}

/** Kinds of alerts whose subject is the id of a payment. */
const PAYMENT_ALERTS: ReadonlySet<AlertKind> = new Set([
  'payment_contradiction',
  'payment_reversed',
  'callback_amount',
])

/** `accountOf` finds the account number by which people know a reseller. */
export function createLogLines(
  logger: Logger,
  accountOf: (resellerId: bigint) => string | undefined,
): LogLines {
  const fieldsOf = (about: PaymentNames | undefined) => about && paymentFields(about, accountOf)
  return {
    onProblem: (text, error, about) => logger.error({ err: error, ...fieldsOf(about) }, text),
    onAlert(alert) {
      const payment = PAYMENT_ALERTS.has(alert.kind) ? { payment_id: alert.subject } : undefined
      logger.warn({ alert, ...payment }, `alert: ${alert.text}`)
    },
    onCallbackTrouble: (provider, text, about) =>
      logger.warn({ provider, detail: text, ...fieldsOf(about) }, 'a callback'),
  }
}

/** Names a payment as the line of its request does: `request_id`, `reseller`, `refid`, `payment_id`. */
function paymentFields(
  { resellerId, paymentId, refid, requestId }: PaymentNames,
  accountOf: (resellerId: bigint) => string | undefined,
): Readonly<Record<string, string>> {
  const reseller = resellerId === undefined ? undefined : accountOf(resellerId)
  return {
    ...(requestId !== undefined && { request_id: requestId }),
    ...(reseller !== undefined && { reseller }),
    ...(refid !== undefined && { refid }),
    ...(paymentId !== undefined && { payment_id: String(paymentId) }),
  }
}
