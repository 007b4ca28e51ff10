/**
 * Exceptions from the rules, each with its reason. `rule` and `path` are as the check prints them; `about`, if given,
 * is a word that the message must contain. An exception that is not needed any more is a violation.
 *
 * @type {{ rule: string, path: string, about?: string, reason: string }[]}
 */
export const EXCEPTIONS = [
  {
    rule: 'table-home',
    path: 'packages/server/src/db/leases.ts',
    about: 'write the table name out',
    reason: 'the table is written out where defineLease is called, and its owner is checked there',
  },
  {
    rule: 'table-home',
    path: 'packages/server/functions/payments/take_payments.sql',
    about: 'wallets',
    reason:
      'answers carry the balance of commands that took nothing: a function would be called once per command',
  },
  {
    rule: 'table-home',
    path: 'packages/server/functions/events/sequence_facts.sql',
    about: 'balance_thresholds',
    reason: 'one statement for a whole batch: thresholds are joined with facts, once per account',
  },
  {
    rule: 'table-home',
    path: 'packages/server/functions/events/sequence_facts.sql',
    about: 'mail_notices',
    reason: 'one statement for a whole batch: append_notice would be called once per event',
  },
  {
    rule: 'table-home',
    path: 'packages/server/functions/events/judge_endpoints.sql',
    about: 'mail_notices',
    reason: 'one statement for a whole batch: append_notice would be called once per endpoint',
  },
  {
    rule: 'table-home',
    path: 'packages/server/functions/events/is_content_kept.sql',
    about: 'catalog',
    reason: 'two lookups by primary key; the catalogue has no function of its own to put them in',
  },
  {
    rule: 'reseller-key',
    path: 'packages/server/functions/events/claim_lanes.sql',
    about: 'claim_lanes',
    reason: 'a node takes lanes of any reseller of its own database',
  },
  {
    rule: 'reseller-key',
    path: 'packages/server/functions/events/claim_lanes_of.sql',
    about: 'claim_lanes_of',
    reason: 'a node takes lanes of any reseller of its own database',
  },
  {
    rule: 'reseller-key',
    path: 'packages/server/functions/events/sequence_facts.sql',
    about: 'sequence_facts',
    reason: 'one sequencer for each database; the numbers that it gives are those of each reseller',
  },
  {
    rule: 'reseller-key',
    path: 'packages/server/functions/payments/find_attempts.sql',
    about: 'find_attempts',
    reason: 'settlement files name references of one supplier, whose accounts are those of one database',
  },
  {
    rule: 'reseller-key',
    path: 'packages/server/functions/payments/find_called_payment.sql',
    about: 'find_called_payment',
    reason:
      "a supplier's callback names a reference and no reseller; it comes to the database that sent the order",
  },
  {
    rule: 'reseller-key',
    path: 'packages/server/functions/payments/list_sold.sql',
    about: 'list_sold',
    reason: 'settlement compares all payments of one database with the files of its suppliers',
  },
  {
    rule: 'reseller-key',
    path: 'packages/server/migrations/0006_payments.sql',
    about: 'provider_callbacks',
    reason: "a supplier's callback is kept before its payment is known",
  },
  {
    rule: 'reseller-key',
    path: 'packages/server/migrations/0010_events.sql',
    about: 'event_facts',
    reason:
      'one row carries the facts of a whole batch, until the sequencer of the same database has numbered them',
  },
  {
    rule: 'reseller-key',
    path: 'packages/server/migrations/0025_restores.sql',
    about: 'restores',
    reason: 'a restore is one of the whole database',
  },
]
