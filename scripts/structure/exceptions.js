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
]
