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
      'packages/acceptance/src/operations/input/names.test.ts',
    ],
  },
  {
    reason:
      'Several nodes or processes, some of which freeze, fall silent or are replaced. Tests of two nodes on one database stay.',
    files: [
      'packages/acceptance/src/crash/freeze.crash.test.ts',
      'packages/acceptance/src/nodes/clock-steps.test.ts',
      'packages/acceptance/src/nodes/hung-worker.test.ts',
      'packages/acceptance/src/nodes/late-twins.test.ts',
      'packages/acceptance/src/nodes/processes.test.ts',
      'packages/acceptance/src/nodes/rolling.test.ts',
      'packages/acceptance/src/nodes/silence.crash.test.ts',
      'packages/acceptance/src/nodes/nodes.test.ts',
    ],
  },
  {
    reason:
      "The embedded server's crash matrix: its starts, users, places and deaths. One whole start stays.",
    files: [
      'packages/server/src/embedded/crash.test.ts',
      'packages/server/src/embedded/location.test.ts',
      'packages/acceptance/src/start/interrupted.test.ts',
      'packages/acceptance/src/start/killed.crash.test.ts',
      'packages/acceptance/src/start/killed-while-starting.crash.test.ts',
      'packages/acceptance/src/start/lost-database.crash.test.ts',
      'packages/acceptance/src/start/patterns.test.ts',
      'packages/acceptance/src/start/runtimes.test.ts',
      'packages/acceptance/src/start/stopped.test.ts',
      'packages/acceptance/src/start/users.test.ts',
      'packages/server/src/embedded/server.test.ts',
    ],
  },
  {
    reason: 'Kills of a whole service around one more kind of commit. Those of payments and the ledger stay.',
    files: [
      'packages/acceptance/src/cases/voids.crash.test.ts',
      'packages/acceptance/src/commands/deposits.crash.test.ts',
      'packages/acceptance/src/crash/orders.crash.test.ts',
      'packages/acceptance/src/crash/outcomes.crash.test.ts',
      'packages/acceptance/src/events/deliveries.crash.test.ts',
      'packages/acceptance/src/operator/approvals.crash.test.ts',
      'packages/acceptance/src/operator/deposit-requests.crash.test.ts',
      'packages/acceptance/src/stock/sales.crash.test.ts',
      'packages/acceptance/src/crash/dispatch.crash.test.ts',
      'packages/acceptance/src/crash/refund.crash.test.ts',
      'packages/acceptance/src/crash/resolve.crash.test.ts',
      'packages/acceptance/src/crash/events.crash.test.ts',
    ],
  },
  {
    reason:
      'Starts that are refused, each a process. The rules of the settings stay, and one start of production.',
    files: ['packages/acceptance/src/start/refusals.test.ts'],
  },
  {
    reason: 'Other languages and other ways to install: interpreters, packages, compilers.',
    files: [
      'packages/acceptance/src/cli/package.test.ts',
      'packages/acceptance/src/operations/documentation/generated-client.test.ts',
      'packages/acceptance/src/sdk/journeys.test.ts',
      'packages/acceptance/src/sdk/languages.test.ts',
      'packages/acceptance/src/sdk/package.test.ts',
      'scripts/new-provider.test.js',
      'packages/acceptance/src/cli/mcp.test.ts',
      'packages/acceptance/src/cli/cli.test.ts',
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
      'packages/acceptance/src/documentation-site/readme.test.ts',
      'packages/server/src/cli/operating.test.ts',
    ],
  },
  {
    reason: "A supplier's list of 20,000 offers over HTTP. Lists of thousands stay, in modules/offers.",
    files: ['packages/server/src/cli/commands/catalog/offers.test.ts'],
  },
  {
    reason:
      'The commands of `warungd` as processes, and a master key that is rotated through a crash. Their rules stay.',
    files: ['packages/server/src/cli/process.test.ts'],
  },
  {
    reason: 'Proxies: nginx, Caddy and HAProxy in front of the service.',
    files: [
      'packages/acceptance/src/deploy/proxies.test.ts',
      'packages/acceptance/src/operations/limits/proxies.test.ts',
    ],
  },
  {
    reason:
      'Further journeys in a browser. The ones that stay open every page of both sides (screens), sell, end stuck payments and cases, and walk each side by keyboard alone (keyboard).',
    files: [
      'packages/acceptance/src/dashboard/costs.test.ts',
      'packages/acceptance/src/dashboard/frame.test.ts',
      'packages/acceptance/src/dashboard/money.test.ts',
      'packages/acceptance/src/dashboard/orders.test.ts',
      'packages/acceptance/src/dashboard/links.test.ts',
      'packages/acceptance/src/dashboard/million.test.ts',
      'packages/acceptance/src/dashboard/onlookers.test.ts',
      'packages/acceptance/src/dashboard/administration.test.ts',
      'packages/acceptance/src/dashboard/catalogue.test.ts',
      'packages/acceptance/src/dashboard/developers.test.ts',
      'packages/acceptance/src/dashboard/payments.test.ts',
      'packages/acceptance/src/dashboard/people.test.ts',
      'packages/acceptance/src/dashboard/suppliers.test.ts',
      'packages/acceptance/src/checkout/embedded-browser.test.ts',
      'packages/acceptance/src/checkout/page-troubles-browser.test.ts',
      'packages/acceptance/src/dashboard/sell.test.ts',
      'packages/acceptance/src/documentation-site/pages.test.ts',
    ],
  },
  {
    reason:
      'Guessing, shutting out and mails to people, by HTTP. The same rules stay at their services (sessions, auth).',
    files: [
      'packages/acceptance/src/operations/token/429.test.ts',
      'packages/acceptance/src/portal/demo-accounts.test.ts',
      'packages/acceptance/src/portal/guesses.test.ts',
      'packages/acceptance/src/portal/lockouts.test.ts',
      'packages/acceptance/src/portal/mailed.test.ts',
      'packages/acceptance/src/portal/passkeys.test.ts',
      'packages/server/src/modules/sessions/people/devices.service.test.ts',
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
      'packages/acceptance/src/operations/catalog/200.changes.test.ts',
      'packages/acceptance/src/events/catalog.test.ts',
      'packages/acceptance/src/events/receivers.test.ts',
      'packages/acceptance/src/mail/mail.test.ts',
      'packages/acceptance/src/operations/limits/bodies.test.ts',
      'packages/acceptance/src/commands/secrets.test.ts',
      'packages/acceptance/src/operations/headers/every-answer.test.ts',
      'packages/acceptance/src/commands/service.test.ts',
      'packages/acceptance/src/commands/settlement.test.ts',
      'packages/acceptance/src/operations/balance/503.test.ts',
      'packages/acceptance/src/operations/bill-presentment/200.faults.test.ts',
      'packages/acceptance/src/operations/callbacks/refusals.test.ts',
      'packages/acceptance/src/operations/limits/connections.test.ts',
      'packages/acceptance/src/portal/live.test.ts',
      'packages/acceptance/src/providers/names.test.ts',
      'packages/acceptance/src/providers/routing.test.ts',
      'packages/acceptance/src/providers/unreachable.test.ts',
      'packages/server/src/demo/catalog/seed.test.ts',
      'packages/server/src/demo/history.test.ts',
      'packages/server/src/testing/model/model.test.ts',
      'packages/server/src/cli/money.test.ts',
    ],
  },
]
