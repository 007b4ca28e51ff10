/**
 * Test files that `npm test` leaves to the deep tier, each with the reason. A rule that one of them guards is also held
 * by a test that stays, at a lower level or in one case of the contract; these look further, or need what takes long.
 * An entry is a file, or a folder with everything below it.
 */
export const DEEP = [
  {
    reason: 'Releases: every part is built, installed into an empty project and used.',
    files: ['scripts/release.test.js'],
  },
  {
    reason: 'Fault runs: nodes, suppliers and links broken for minutes. Crash tests at single places stay.',
    files: [
      'packages/acceptance/src/faults/broken.test.ts',
      'packages/acceptance/src/faults/faults.crash.test.ts',
      'packages/acceptance/src/sdk/faults.test.ts',
      'packages/acceptance/src/providers/faults.test.ts',
      'packages/acceptance/src/providers/faults.crash.test.ts',
    ],
  },
  {
    reason: 'Fuzzing: thousands of requests. What the generator and the judge do is tested on every change.',
    files: ['packages/acceptance/src/fuzz/fuzz.test.ts'],
  },
  {
    reason: 'Upgrades from every release, while both versions run.',
    files: ['packages/server/src/testing/releases'],
  },
  {
    reason: 'Standby and replication: each needs PostgreSQL servers of its own.',
    files: [
      'packages/server/src/app/standby.crash.test.ts',
      'packages/server/src/db/replication.crash.test.ts',
      'packages/server/src/db/silence.crash.test.ts',
      'packages/server/src/db/standby/reader.crash.test.ts',
      'packages/server/src/backup',
      'packages/acceptance/src/crash/restore.crash.test.ts',
    ],
  },
  {
    reason:
      'Several nodes or processes that freeze, fall silent or are replaced. Two nodes stay (nodes/nodes).',
    files: [
      'packages/acceptance/src/crash/freeze.crash.test.ts',
      'packages/acceptance/src/nodes/clock-steps.test.ts',
      'packages/acceptance/src/nodes/hung-worker.test.ts',
      'packages/acceptance/src/nodes/late-twins.test.ts',
      'packages/acceptance/src/nodes/processes.test.ts',
      'packages/acceptance/src/nodes/rolling.test.ts',
      'packages/acceptance/src/nodes/silence.crash.test.ts',
    ],
  },
  {
    reason:
      "The embedded server's crash matrix: its starts, users, places and deaths. One whole start stays.",
    files: [
      'packages/server/src/embedded/crash.test.ts',
      'packages/server/src/embedded/location.test.ts',
      'packages/acceptance/src/start/interrupted.test.ts',
      'packages/acceptance/src/start/killed-while-starting.crash.test.ts',
      'packages/acceptance/src/start/lost-database.crash.test.ts',
      'packages/acceptance/src/start/patterns.test.ts',
      'packages/acceptance/src/start/runtimes.test.ts',
      'packages/acceptance/src/start/users.test.ts',
    ],
  },
  {
    reason:
      'Kills of a whole service around one more kind of commit. Those of payments, refunds and the ledger stay.',
    files: [
      'packages/acceptance/src/cases/voids.crash.test.ts',
      'packages/acceptance/src/commands/deposits.crash.test.ts',
      'packages/acceptance/src/crash/orders.crash.test.ts',
      'packages/acceptance/src/crash/outcomes.crash.test.ts',
      'packages/acceptance/src/events/deliveries.crash.test.ts',
      'packages/acceptance/src/operator/approvals.crash.test.ts',
      'packages/acceptance/src/operator/deposit-requests.crash.test.ts',
      'packages/acceptance/src/stock/sales.crash.test.ts',
    ],
  },
  {
    reason: 'Other languages and other ways to install: interpreters, packages, compilers.',
    files: [
      'packages/acceptance/src/cli/package.test.ts',
      'packages/acceptance/src/operations/documentation/generated-client.test.ts',
      'packages/acceptance/src/postman',
      'packages/acceptance/src/sdk/journeys.test.ts',
      'packages/acceptance/src/sdk/languages.test.ts',
      'packages/acceptance/src/sdk/package.test.ts',
      'scripts/new-provider.test.js',
    ],
  },
  {
    reason: 'Executed documents: examples, guides and snippets, run as they are printed.',
    files: [
      'packages/acceptance/src/documentation-site/code.test.ts',
      'packages/acceptance/src/documentation-site/reference.test.ts',
      'packages/acceptance/src/examples',
      'packages/acceptance/src/providers/guide.test.ts',
      'packages/acceptance/src/receiver-sample.test.ts',
    ],
  },
  {
    reason: 'Proxies: nginx, Caddy and HAProxy in front of the service.',
    files: [
      'packages/acceptance/src/deploy/proxies.test.ts',
      'packages/acceptance/src/operations/limits/proxies.test.ts',
    ],
  },
  {
    reason: 'Every page and every row in a browser. Each page keeps one journey.',
    files: [
      'packages/acceptance/src/dashboard/costs.test.ts',
      'packages/acceptance/src/dashboard/links.test.ts',
      'packages/acceptance/src/dashboard/million.test.ts',
      'packages/acceptance/src/dashboard/onlookers.test.ts',
    ],
  },
  {
    reason: 'Long runs of what the tests of the same domain hold in small.',
    files: [
      'packages/acceptance/src/catalog-payments.test.ts',
      'packages/acceptance/src/commands/finance.test.ts',
      'packages/acceptance/src/operations/balance/504.test.ts',
      'packages/acceptance/src/operations/limits/fairness.test.ts',
      'packages/acceptance/src/operations/networkstatus/200.measured.test.ts',
      'packages/acceptance/src/operator/prices.test.ts',
      'packages/acceptance/src/portal/exports.test.ts',
      'packages/acceptance/src/secrets/at-rest.test.ts',
      'packages/acceptance/src/stock/sales.test.ts',
    ],
  },
]
