/** Kind of alert: its severity, its meaning, and what an operator does about it. */
export type AlertKindRule = {
  readonly severity: 'warning' | 'critical'
  /**
   * Minutes for which the alert must be open before operators get a mail. null: it is only in the list and in the log.
   * A critical one is mailed at once.
   */
  readonly mailedAfterMinutes: number | null
  readonly meaning: string
  readonly remedy: string
}

const AT_ONCE = 0
const SOON = 15
const HOUR = 60
const DAY = 24 * HOUR

/** Kinds of alert that the service raises. docs/alerts.md shows this list, and a test compares the two. */
export const ALERT_KIND_RULES = {
  payment_contradiction: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning:
      'A supplier says the opposite of the final state of a payment, or carried it out twice. No money moved.',
    remedy:
      'Open the payment, ask the supplier with the reference of the attempt, then settle the difference.',
  },
  sold_below_cost: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'A product is sold for less than the cheapest route to a supplier costs.',
    remedy: 'Correct the price, or the cost of the route; `warungd catalog show` and `route list` show both.',
  },
  price_without_route: {
    severity: 'warning',
    mailedAfterMinutes: DAY,
    meaning: 'A product has a price, and no supplier that takes orders for it: payments are refused.',
    remedy: 'Set a route with `warungd route set`, or take the price away.',
  },
  route_without_price: {
    severity: 'warning',
    mailedAfterMinutes: DAY,
    meaning: 'A product has a route to a supplier, and no price level sells it.',
    remedy: 'Set a price with `warungd catalog price`, or remove the route.',
  },
  payments_stuck: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'Payments at a supplier are past their due time for half an hour. Their money is held.',
    remedy: 'Ask the supplier about each; end those that it knows the result of.',
  },
  success_rate_fell: {
    severity: 'warning',
    mailedAfterMinutes: SOON,
    meaning: 'Far fewer payments of a product, a supplier or a reseller succeed than in its own week before.',
    remedy: 'Look at the codes of the failed payments; send them to another supplier, or tell the reseller.',
  },
  attempt_undecided: {
    severity: 'warning',
    mailedAfterMinutes: HOUR,
    meaning:
      'A supplier has not decided about an attempt that its payment no longer needs. It may be fulfilled twice.',
    remedy: 'Ask the supplier to cancel or confirm the order with that reference.',
  },
  answer_ambiguous: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning:
      'An answer of a supplier has several orders where one is expected. It decides nothing: the payment waits.',
    remedy:
      'Ask the supplier what became of the reference. Correct the connection, or settle a second fulfilment.',
  },
  callback_amount: {
    severity: 'warning',
    mailedAfterMinutes: HOUR,
    meaning:
      'A callback names another amount than the payment has. It was not believed; the supplier is asked.',
    remedy: 'Look at the timeline of the payment; if it repeats, check the connection with the supplier.',
  },
  outcome_refused: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'The database refuses an answer of a supplier. The answer is kept in a file.',
    remedy: 'Keep the data folder of the node, and report the error in the text of the alert.',
  },
  outcomes_waiting: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'Answers of suppliers wait in memory or in files, because the database does not take them.',
    remedy:
      'Bring the database back. Do not delete the data folder of the node before this alert is cleared.',
  },
  outcome_file: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'A file with answers of suppliers cannot be read.',
    remedy: 'Keep the file, and compare the payments of that time with the records of the supplier.',
  },
  order_stuck: {
    severity: 'warning',
    mailedAfterMinutes: SOON,
    meaning: 'An order of the hosted checkout does not move on: the customer has paid, or its time is over.',
    remedy:
      'Read the error in the text and in the log. Ask the reseller to deposit if the balance is too low.',
  },
  void_contradiction: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'A supplier contradicts the decision of a closed case about a void. No money moved.',
    remedy: 'Open the case, ask the supplier, then settle the difference.',
  },
  case_waiting: {
    severity: 'warning',
    mailedAfterMinutes: HOUR,
    meaning: 'A case waits for a person.',
    remedy: 'Take the case: only a person can take it further.',
  },
  case_overdue: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'A case is past its due time.',
    remedy: 'Decide the case, or tell the reseller when it will be decided.',
  },
  approval_waiting: {
    severity: 'warning',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'A request has waited half an hour for a second person.',
    remedy: 'Approve or refuse the request before it expires.',
  },
  deposit_reported: {
    severity: 'warning',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'A reseller reports a bank transfer, and its money is not in the wallet yet.',
    remedy: 'Compare the slip with the bank, then accept or refuse the deposit request in the back office.',
  },
  supplier_silent: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'A supplier does not answer orders any more.',
    remedy: 'Call the supplier. Until it answers, send payments to another one or stop the sale.',
  },
  float_low: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'Our money at a supplier is below its threshold.',
    remedy: 'Top up the float. Without one, payments fail or go to another supplier.',
  },
  float_forecast: {
    severity: 'warning',
    mailedAfterMinutes: SOON,
    meaning: 'At the present rate our money at a supplier ends soon.',
    remedy: 'Plan a top up of the float.',
  },
  float_unread: {
    severity: 'warning',
    mailedAfterMinutes: HOUR,
    meaning: 'A supplier does not report our remaining money.',
    remedy: 'Check the connection with the supplier, and look at the float there.',
  },
  stock_low: {
    severity: 'warning',
    mailedAfterMinutes: HOUR,
    meaning: 'Fewer items of a denomination are free than its level asks for.',
    remedy: 'Load another batch.',
  },
  stock_out: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'No item of a denomination is free.',
    remedy: 'Load another batch. Until then payments for it fail or go to another supplier.',
  },
  catalogue_pattern: {
    severity: 'warning',
    mailedAfterMinutes: DAY,
    meaning: 'A stored pattern of a product field would be refused if it were saved today. It still works.',
    remedy: 'Change the pattern of the field that the text names.',
  },
  database_clock: {
    severity: 'warning',
    mailedAfterMinutes: SOON,
    meaning: 'The clock of the database was moved, or differs from the clock of a node.',
    remedy: 'Keep the clocks of all machines by a time service.',
  },
  untrusted_proxy: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning:
      'A peer with a private address sends forwarding headers, and WARUNG_TRUST_PROXY does not name it.',
    remedy:
      'Name the proxy in WARUNG_TRUST_PROXY on every node: its clients share one rate limit until then.',
  },
  untrusted_forwarding: {
    severity: 'warning',
    mailedAfterMinutes: null,
    meaning:
      'A peer with a public address sends forwarding headers, and WARUNG_TRUST_PROXY does not name it.',
    remedy: 'Name it in WARUNG_TRUST_PROXY if it is your proxy. If it is a client, clear the alert.',
  },
  backup_old: {
    severity: 'warning',
    mailedAfterMinutes: AT_ONCE,
    meaning: 'The newest backup is older than WARUNG_BACKUP_MAX_AGE_HOURS, or there is none.',
    remedy: 'Run `warungd backup` and read its error; then look at the timer that should run it.',
  },
  backup_log_old: {
    severity: 'warning',
    mailedAfterMinutes: SOON,
    meaning: 'The log of the database does not reach the folder of backups: the last minutes could be lost.',
    remedy:
      'Look at the log of the service for the reason: a full disk, or a right that the database refuses.',
  },
  restore_open: {
    severity: 'critical',
    mailedAfterMinutes: AT_ONCE,
    meaning:
      'The database was restored to an earlier moment, and nobody has accepted it: unknown refids are not paid.',
    remedy: 'Compare with the suppliers and resellers, then run `warungd restore accept`.',
  },
  mail_unreachable: {
    severity: 'warning',
    mailedAfterMinutes: null,
    meaning: 'No mail gets through to the mail server.',
    remedy: 'Check WARUNG_SMTP_URL and the mail server; `warungd mail test` shows the error.',
  },
  mail_given_up: {
    severity: 'warning',
    mailedAfterMinutes: null,
    meaning: 'A mail was given up: its address refuses it, or no attempt got through.',
    remedy: 'Correct the address that the text names.',
  },
  mail_not_configured: {
    severity: 'warning',
    mailedAfterMinutes: null,
    meaning: 'Mails wait, and there is no mail server to send them with.',
    remedy: 'Set WARUNG_SMTP_URL.',
  },
  mail_notice_unreadable: {
    severity: 'warning',
    mailedAfterMinutes: DAY,
    meaning: 'A notice to a reseller could not become a mail.',
    remedy: 'Report the error in the text of the alert; tell the reseller by hand.',
  },
  mail_copies_limited: {
    severity: 'warning',
    mailedAfterMinutes: null,
    meaning:
      'A reseller reached the daily limit for copies of mails about cases. Further copies are not sent that day.',
    remedy: 'Ask the reseller why it names so many addresses.',
  },
  alert_webhook_failing: {
    severity: 'warning',
    mailedAfterMinutes: SOON,
    meaning: 'The receiver at WARUNG_ALERT_WEBHOOK does not take alerts.',
    remedy: 'Check the receiver. Alerts are sent again for a day; after that they are in the list alone.',
  },
} as const satisfies Record<string, AlertKindRule>

export type AlertKind = keyof typeof ALERT_KIND_RULES

const BY_NAME: ReadonlyMap<string, AlertKindRule> = new Map(Object.entries(ALERT_KIND_RULES))

/** Finds the rule of a kind. undefined: an older version raised it, and this one does not know it. */
export function ruleOf(kind: string): AlertKindRule | undefined {
  return BY_NAME.get(kind)
}

/** Page of the service's own documentation that has the runbooks. */
const RUNBOOKS_PATH = '/docs/operators/runbooks'

/** Path of the runbook of a kind on this service. undefined: this version does not know the kind. */
export function runbookPathOf(kind: string): string | undefined {
  return BY_NAME.has(kind) ? `${RUNBOOKS_PATH}#${kind}` : undefined
}

/** Warnings that are mailed to operators, with the minutes after which they are. */
export function mailedWarnings(): { readonly kind: string; readonly minutes: number }[] {
  return [...BY_NAME].flatMap(([kind, { severity, mailedAfterMinutes }]) =>
    severity === 'warning' && mailedAfterMinutes !== null ? [{ kind, minutes: mailedAfterMinutes }] : [],
  )
}
