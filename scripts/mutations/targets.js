import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

// Table of the files that are mutated, with the tests that have to notice. Tests beside a file, named after it, are
// found by themselves; the others are listed. Tests run in the order of the list, so the cheap ones come first.

const MODULES = 'packages/server/src/modules'
const LIB = 'packages/server/src/lib'
const FUNCTIONS = 'packages/server/functions'

const JUDGING = [
  `${MODULES}/payments/take/judge.rules.test.ts`,
  `${MODULES}/payments/take/judge.rules.property.test.ts`,
]
const PREVIEWING = `${MODULES}/payments/take/preview.service.test.ts`
const TAKING = [
  `${MODULES}/payments/take/intake.sql.test.ts`,
  `${MODULES}/payments/take/intake.sql.concurrency.test.ts`,
  `${MODULES}/payments/take/rejections.sql.test.ts`,
  `${MODULES}/payments/take/intake.service.test.ts`,
  `${MODULES}/payments/take/intake.sql.property.test.ts`,
  `${MODULES}/payments/take/rejections.service.test.ts`,
  `${MODULES}/payments/take/rejections.service.concurrency.test.ts`,
  `${MODULES}/payments/take/intake.service.concurrency.test.ts`,
  `${MODULES}/payments/restores/service.test.ts`,
]
const RESOLVING = [
  `${MODULES}/payments/outcomes/resolve.sql.test.ts`,
  `${MODULES}/payments/outcomes/resolve.sql.concurrency.test.ts`,
  `${MODULES}/payments/outcomes/resolve.service.test.ts`,
  `${MODULES}/payments/fulfil/open-attempts.sql.test.ts`,
  `${MODULES}/payments/fulfil/open-attempts.service.test.ts`,
  'packages/server/src/testing/model/rows.test.ts',
  `${MODULES}/payments/outcomes/resolve.sql.property.test.ts`,
  `${MODULES}/payments/outcomes/resolve.service.concurrency.test.ts`,
  `${MODULES}/providers/stock/shelf.service.property.test.ts`,
]
const SETTLING = [
  `${MODULES}/payments/support/settled.sql.test.ts`,
  `${MODULES}/payments/support/settled.service.concurrency.test.ts`,
  `${MODULES}/settlement/service.test.ts`,
  `${MODULES}/settlement/import.service.test.ts`,
]
const CASES = [
  `${MODULES}/cases/sql.test.ts`,
  `${MODULES}/cases/service.test.ts`,
  `${MODULES}/cases/service.concurrency.test.ts`,
  `${MODULES}/cases/operators.service.test.ts`,
  `${MODULES}/cases/voids.jobs.test.ts`,
  `${MODULES}/cases/voids.jobs.concurrency.test.ts`,
]
const APPROVALS = [
  `${MODULES}/approvals/sql.test.ts`,
  `${MODULES}/approvals/service.test.ts`,
  `${MODULES}/approvals/jobs.test.ts`,
  `${MODULES}/approvals/service.concurrency.test.ts`,
]
const WALLET = [
  `${MODULES}/wallet/balance/service.test.ts`,
  `${MODULES}/wallet/balance/service.concurrency.test.ts`,
]

/**
 * Pure decisions, by domain: milliseconds for each mutant. The hints about wrong signatures (`signature-hints`,
 * `canonical-comparison`) are not among them: they help clients in staging, and decide nothing.
 */
const RULES = {
  wallet: {
    [`${LIB}/money.ts`]: [],
    [`${LIB}/posted-amounts.ts`]: [],
    [`${MODULES}/wallet/balance/thresholds.rules.ts`]: [],
    [`${MODULES}/wallet/ledger/audit.rules.ts`]: [],
    [`${MODULES}/wallet/ledger/chain.rules.ts`]: [],
    [`${MODULES}/wallet/ledger/instants.rules.ts`]: [],
    [`${MODULES}/wallet/statement/statement.rules.ts`]: [],
  },
  payments: {
    [`${MODULES}/payments/fulfil/callbacks.rules.ts`]: [],
    [`${MODULES}/payments/fulfil/dispatch.rules.ts`]: [],
    [`${MODULES}/payments/outcomes/outcomes.rules.ts`]: [],
    [`${MODULES}/payments/core/clock.rules.ts`]: [],
    [`${MODULES}/payments/core/fields.rules.ts`]: [
      `${MODULES}/payments/core/request.rules.test.ts`,
      `${MODULES}/payments/core/request.rules.property.test.ts`,
    ],
    [`${MODULES}/payments/core/masking.rules.ts`]: [],
    [`${MODULES}/payments/core/number-text.rules.ts`]: [],
    [`${MODULES}/payments/core/request.rules.ts`]: [
      `${MODULES}/payments/core/differences.rules.test.ts`,
      ...JUDGING,
    ],
    [`${MODULES}/payments/core/schedule.rules.ts`]: [],
    [`${MODULES}/payments/core/states.rules.ts`]: [],
    [`${MODULES}/payments/core/test-accounts.rules.ts`]: [],
    [`${MODULES}/payments/read/attempt-history.rules.ts`]: [],
    [`${MODULES}/payments/read/history.rules.ts`]: [],
    [`${MODULES}/payments/read/listing.rules.ts`]: [],
    [`${MODULES}/payments/read/summaries.rules.ts`]: [],
    [`${MODULES}/payments/support/settled.rules.ts`]: [],
    [`${MODULES}/payments/core/differences.rules.ts`]: [],
    [`${MODULES}/payments/take/enquiry.rules.ts`]: [],
    [`${MODULES}/payments/take/extras.rules.ts`]: [],
    [`${MODULES}/payments/take/judge.rules.ts`]: [
      `${MODULES}/payments/take/extras.rules.test.ts`,
      `${MODULES}/payments/take/plans.rules.test.ts`,
      `${MODULES}/payments/take/enquiry.rules.test.ts`,
      `${MODULES}/payments/core/test-accounts.rules.test.ts`,
      PREVIEWING,
    ],
    [`${MODULES}/payments/take/plans.rules.ts`]: [...JUDGING, PREVIEWING],
  },
  signing: {
    [`${LIB}/secrets/hmac.ts`]: [],
    [`${MODULES}/auth/nonces.rules.ts`]: [],
    [`${MODULES}/auth/signing/signing.rules.ts`]: [],
  },
  pricing: {
    [`${MODULES}/catalog/model/pricing.rules.ts`]: [],
    [`${MODULES}/margins/rules.ts`]: [],
    [`${MODULES}/margins/costs.rules.ts`]: [
      `${MODULES}/margins/rules.test.ts`,
      `${MODULES}/margins/rules.property.test.ts`,
      `${MODULES}/margins/drift.rules.test.ts`,
      `${MODULES}/margins/matrix.rules.test.ts`,
    ],
    [`${MODULES}/margins/drift.rules.ts`]: [],
    [`${MODULES}/margins/earnings.rules.ts`]: [`${MODULES}/margins/costs.rules.test.ts`],
    [`${MODULES}/margins/matrix.rules.ts`]: [],
    [`${MODULES}/margins/repriced.rules.ts`]: [`${MODULES}/margins/rules.test.ts`],
    [`${MODULES}/margins/samples.rules.ts`]: [`${MODULES}/margins/rules.test.ts`],
    [`${MODULES}/orders/core/confirmation.rules.ts`]: [],
  },
  approvals: {
    [`${MODULES}/approvals/rules.ts`]: [],
    [`${MODULES}/operator/kit/approvals.rules.ts`]: [],
  },
  cases: {
    [`${MODULES}/cases/rules.ts`]: [],
    [`${MODULES}/cases/listing.rules.ts`]: [],
  },
}

/**
 * SQL functions, by domain: each mutant is put into a database of its own, which costs seconds. One of several is tried
 * where a function is long (`SQL_ONE_OF`).
 */
const SQL = {
  wallet: {
    'wallet/chain_is_immutable': [`${MODULES}/wallet/ledger/chain.service.test.ts`],
    'wallet/hold_wallet': WALLET,
    'wallet/lock_wallets': [...TAKING, ...RESOLVING],
    'wallet/open_wallet': WALLET,
    'wallet/post_entries': [`${MODULES}/wallet/balance/sql.test.ts`, ...WALLET, ...TAKING, ...RESOLVING],
    'wallet/transfers_are_immutable': WALLET,
    'wallet/wallet_balance': [`${MODULES}/orders/core/service.test.ts`],
    'wallet/wallets_are_kept': WALLET,
  },
  payments: {
    'payments/attempt_provider': [`${MODULES}/payments/fulfil/work.sql.test.ts`, ...RESOLVING, ...SETTLING],
    'payments/close_open_attempts': RESOLVING,
    'payments/contradiction_text': RESOLVING,
    'payments/fill_outputs': RESOLVING,
    'payments/find_attempts': SETTLING,
    'payments/find_called_payment': [`${MODULES}/payments/fulfil/callbacks.service.test.ts`],
    'payments/hold_payment': CASES,
    'payments/is_refid_taken': [
      `${MODULES}/orders/core/service.test.ts`,
      `${MODULES}/orders/core/service.concurrency.test.ts`,
    ],
    'payments/list_sold': SETTLING,
    'payments/mark_restored': [`${MODULES}/payments/restores/service.test.ts`],
    'payments/note_contradictions': RESOLVING,
    'payments/open_late_attempts': RESOLVING,
    'payments/payment_code': CASES,
    'payments/reference_of': [...RESOLVING, ...SETTLING],
    'payments/resolve_payments': [`${MODULES}/payments/reports/rollups.sql.test.ts`, ...RESOLVING],
    'payments/take_payments': TAKING,
  },
  signing: {
    'auth/spend_nonces': [
      `${MODULES}/auth/nonces.sql.test.ts`,
      `${MODULES}/auth/nonces.service.test.ts`,
      ...TAKING,
    ],
  },
  approvals: {
    'approvals/announce_approval': APPROVALS,
    'approvals/approval_state': [
      `${MODULES}/approvals/sql.test.ts`,
      `${MODULES}/deposits/service.concurrency.test.ts`,
    ],
    'approvals/approvals_are_kept': APPROVALS,
  },
  cases: {
    'cases/advance_cases': CASES,
    'cases/approve_void': CASES,
    'cases/await_person': CASES,
    'cases/change_case': CASES,
    'cases/end_asking': CASES,
    'cases/open_case': CASES,
    'cases/tell_case': CASES,
    'cases/tell_operators_of_case': CASES,
    'cases/watch_cases': CASES,
  },
}

/** Shares by domain, or by function: more mutants are tried of the function that gives money back. */
const SQL_ONE_OF = { payments: 4, 'payments/resolve_payments': 2, cases: 4 }

/** Branching and statements over the database: seconds for each mutant, so one of several is tried (`oneOf`). */
const SERVICES = {
  wallet: {
    [`${MODULES}/wallet/balance/service.ts`]: { oneOf: 1 },
    [`${MODULES}/wallet/balance/sql.ts`]: { oneOf: 1, tests: WALLET },
  },
  payments: {
    [`${MODULES}/payments/outcomes/resolve.service.ts`]: { oneOf: 4 },
    [`${MODULES}/payments/take/intake.service.ts`]: { oneOf: 4 },
    [`${MODULES}/payments/take/intake.sql.ts`]: { oneOf: 4, tests: TAKING },
  },
  signing: {
    [`${MODULES}/auth/service.ts`]: { oneOf: 4 },
    [`${MODULES}/auth/nonces.service.ts`]: { oneOf: 1 },
  },
  approvals: {
    [`${MODULES}/approvals/service.ts`]: { oneOf: 4 },
    [`${MODULES}/approvals/sql.ts`]: { oneOf: 4, tests: APPROVALS },
    [`${MODULES}/approvals/independence.service.ts`]: { oneOf: 1 },
  },
  cases: {
    [`${MODULES}/cases/service.ts`]: { oneOf: 4 },
    [`${MODULES}/cases/sql.ts`]: { oneOf: 4, tests: CASES },
    [`${MODULES}/cases/operators.service.ts`]: { oneOf: 4 },
  },
}

export const DOMAINS = ['wallet', 'payments', 'signing', 'pricing', 'approvals', 'cases']
export const LAYERS = ['rules', 'sql', 'services']

/**
 * Lists the files to mutate: `oneOf` 4 means that every fourth mutant is tried.
 * @returns {{ domain: string, layer: string, path: string, oneOf: number, tests: string[] }[]}
 */
export function listTargets(rootDir) {
  const targets = [
    ...entries(RULES, 'rules', (path, more) => ({ path, oneOf: 1, more })),
    ...entries(SQL, 'sql', (name, more) => ({
      path: `${FUNCTIONS}/${name}.sql`,
      oneOf: SQL_ONE_OF[name] ?? SQL_ONE_OF[name.split('/')[0]] ?? 1,
      more,
    })),
    ...entries(SERVICES, 'services', (path, { oneOf, tests = [] }) => ({ path, oneOf, more: tests })),
  ]
  return targets.map(({ more, ...target }) => {
    const tests = [...new Set([...testsBeside(rootDir, target.path), ...more])]
    const lost = [target.path, ...tests].find((path) => !existsSync(join(rootDir, path)))
    if (lost !== undefined)
      throw new Error(`${lost} is listed in scripts/mutations/targets.js, and is not there`)
    return { ...target, tests }
  })
}

function entries(byDomain, layer, toTarget) {
  return Object.entries(byDomain).flatMap(([domain, files]) =>
    Object.entries(files).map(([name, value]) => ({ domain, layer, ...toTarget(name, value) })),
  )
}

/** Finds `x.rules.test.ts` and `x.rules.property.test.ts` beside `x.rules.ts`. */
function testsBeside(rootDir, path) {
  const stem = basename(path, '.ts')
  const own = new RegExp(`^${stem.replaceAll('.', '\\.')}\\.(?:\\w+\\.)?test\\.ts$`)
  return readdirSync(join(rootDir, dirname(path)))
    .filter((name) => own.test(name) && !name.endsWith('.crash.test.ts'))
    .sort((a, b) => a.length - b.length)
    .map((name) => `${dirname(path)}/${name}`)
}
