import type { Environment } from '../../../config.ts'
import type { Database } from '../../../db/database.ts'
import { isMailAddress } from '../../../lib/mail-addresses.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { listOperators } from '../../accounts/service.ts'
import type { Operator, OperatorRole } from '../../accounts/types.ts'
import { mailedWarnings } from '../core/kinds.rules.ts'
import { alertLetter } from './letters.view.ts'
import { insertMails } from './mail.sql.ts'
import type { MailBounds } from './operators.sql.ts'
import { listUnmailed, lockOperatorMail, markMailed } from './operators.sql.ts'

const NOTIFIED_ROLES: ReadonlySet<OperatorRole> = new Set(['admin', 'support'])
/**
 * Limits of mails to operators: at most one in five minutes, twelve an hour. Alerts that come up in the meantime are in
 * the next one. A mail with warnings only is sent at most once an hour.
 */
const BOUNDS: MailBounds = {
  pauseMs: 5 * 60_000,
  warningPauseMs: 60 * 60_000,
  limit: 500,
  warnings: mailedWarnings(),
}

export type OperatorMailSettings = {
  readonly database: Database
  readonly environment: Environment
  /** Turns the path of a runbook into its address. */
  readonly addressOf: AddressOf
}

/** Mails operators the new critical alerts and the warnings that are due, in one mail. Returns the number of alerts. */
export async function mailAlerts(settings: OperatorMailSettings): Promise<number> {
  const { database, environment, addressOf } = settings
  // Every node looks each second: without a lock first.
  if ((await listUnmailed(database, BOUNDS)).length === 0) return 0
  return database.transaction(async (tx) => {
    if (!(await lockOperatorMail(tx))) return 0
    const alerts = await listUnmailed(tx, BOUNDS)
    if (alerts.length === 0) return 0
    const operators = (await listOperators(tx)).filter((operator) => isRecipient(operator, environment))
    // The alerts wait until there is an operator, because nobody has been told.
    if (operators.length === 0) return 0
    const letter = alertLetter(alerts, addressOf)
    await insertMails(
      tx,
      operators.map(({ email }) => ({ ...letter, resellerId: null, kind: 'alert', recipient: email })),
    )
    await markMailed(
      tx,
      alerts.map(({ id }) => id),
    )
    return alerts.length
  })
}

function isRecipient({ role, status, demo, email }: Operator, environment: Environment): boolean {
  return (
    status === 'active' &&
    NOTIFIED_ROLES.has(role) &&
    isMailAddress(email) &&
    !(demo && environment === 'production')
  )
}
