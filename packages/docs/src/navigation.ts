/** Group of the navigation. Groups of the reference list their own pages. */
export type Group = { readonly id: string; readonly title: string }

/** One path for each reader, and behind `more` what few need. */
export const GROUPS: readonly Group[] = [
  { id: 'start', title: 'New here' },
  { id: 'guides', title: 'Integrate' },
  { id: 'reference', title: 'API reference' },
  { id: 'operators', title: 'Operate' },
  { id: 'portal-api', title: "Portal's API" },
  { id: 'operator-api', title: "Back office's API" },
  { id: 'more', title: 'More' },
]

/** Page that is written as Markdown in the repository. */
export type Written = {
  readonly path: string
  readonly source: string
  readonly group: string
  /** Title above it in the navigation of its group; empty: none. */
  readonly heading: string
}

type Place = readonly [path: string, source: string]

const inGroup = (group: string, heading: string, pages: readonly Place[]): Written[] =>
  pages.map(([path, source]) => ({ path, source, group, heading }))

/** Written pages in the order of the navigation. A new file in docs/ is added here; a test finds one that is not. */
export const WRITTEN: readonly Written[] = [
  ...inGroup('start', '', [
    ['index', 'docs/integrate/index.md'],
    ['concepts', 'docs/integrate/concepts.md'],
    ['quick-start', 'docs/integrate/quick-start.md'],
  ]),
  ...inGroup('guides', '', [
    ['signing', 'docs/integrate/signing.md'],
    ['payments', 'docs/integrate/payments.md'],
    ['errors', 'docs/integrate/errors.md'],
    ['idempotency', 'docs/integrate/idempotency.md'],
    ['catalogue', 'docs/integrate/catalogue.md'],
    ['checkout', 'docs/integrate/checkout.md'],
    ['webhooks', 'docs/guides/webhooks.md'],
    ['staging', 'docs/integrate/staging.md'],
    ['limits', 'docs/integrate/limits.md'],
    ['keys', 'docs/integrate/keys.md'],
    ['versions', 'docs/integrate/versions.md'],
    ['go-live', 'docs/integrate/go-live.md'],
  ]),
  ...inGroup('guides', 'Tools', [
    ['sdks', 'docs/integrate/sdks.md'],
    ['command-line', 'docs/integrate/command-line.md'],
    ['vectors', 'vectors/README.md'],
  ]),
  ...inGroup('operators', '', [
    ['operators', 'docs/operators.md'],
    ['operators/production', 'docs/guides/production.md'],
    ['operators/supplier-packs', 'docs/guides/supplier-packs.md'],
    ['operators/connect-a-supplier', 'docs/guides/connect-a-supplier.md'],
    ['operators/catalog-files', 'docs/catalog-files.md'],
    ['operators/settlement', 'docs/guides/settlement.md'],
    ['operators/currencies', 'docs/guides/currencies.md'],
    ['operators/finance', 'docs/guides/finance.md'],
  ]),
  ...inGroup('operators', 'Every day', [
    ['operators/dashboard', 'docs/guides/dashboard.md'],
    ['operators/selling-safely', 'docs/guides/selling-safely.md'],
    ['operators/providers', 'docs/guides/providers.md'],
    ['operators/stock', 'docs/guides/stock.md'],
    ['operators/cases', 'docs/guides/cases.md'],
    ['operators/mail', 'docs/guides/mail.md'],
  ]),
  ...inGroup('operators', 'Watch', [
    ['operators/observability', 'docs/guides/observability.md'],
    ['operators/alerts', 'docs/alerts.md'],
    ['operators/runbooks', 'docs/runbooks.md'],
    ['operators/metrics', 'docs/metrics.md'],
    ['operators/backups', 'docs/guides/backups.md'],
  ]),
  ...inGroup('operators', 'Look up', [
    ['operators/configuration', 'docs/configuration.md'],
    ['operators/back-office', 'docs/guides/back-office.md'],
    ['operators/portal', 'docs/guides/portal.md'],
    ['operators/simulator', 'docs/simulator.md'],
    ['operators/glossary', 'docs/glossary.md'],
  ]),
  ...inGroup('more', 'Operate', [
    ['operators/drills', 'docs/guides/drills.md'],
    ['operators/cluster', 'docs/guides/cluster.md'],
    ['operators/add-a-provider', 'docs/guides/add-a-provider.md'],
    ['operators/malay', 'docs/malay.md'],
  ]),
  ...inGroup('more', 'The project', [
    ['project/changelog', 'CHANGELOG.md'],
    ['project/architecture', 'ARCHITECTURE.md'],
    ['project/contributing', 'CONTRIBUTING.md'],
    ['project/model', 'docs/model.md'],
    ['project/performance', 'docs/performance.md'],
    ['project/security', 'docs/security.md'],
    ['project/report-a-weakness', 'SECURITY.md'],
    ['project/dependencies', 'docs/dependencies.md'],
    ['project/proof', 'docs/proof.md'],
    ['project/decisions', 'docs/adr/README.md'],
  ]),
]

/** Pages of packages and clients, which are on the site when they are in the checkout. */
export const OPTIONAL: readonly Written[] = inGroup('guides', 'Tools', [
  ['sdk-typescript', 'packages/sdk/README.md'],
  ['sdk-python', 'clients/python/README.md'],
  ['sdk-php', 'clients/php/README.md'],
  ['warung-command', 'packages/cli/README.md'],
  ['examples', 'examples/README.md'],
])

/** Files in docs/ that are no pages. */
export const NOT_PAGES: readonly string[] = ['docs/adr/0000-template.md']

/** Returns the page of a decision record; undefined for other files. */
export function decisionPath(source: string): string | undefined {
  const name = /^docs\/adr\/(\d{4}-[a-z0-9-]+)\.md$/.exec(source)?.[1]
  return name === undefined || NOT_PAGES.includes(source) ? undefined : `decisions/${name}`
}
