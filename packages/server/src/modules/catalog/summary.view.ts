import type { ChangeSummary } from './product/store.types.ts'

export function summaryView(summary: ChangeSummary) {
  return {
    version: Number(summary.version),
    created: summary.created,
    updated: summary.updated,
    deactivated: summary.deactivated,
    unchanged: summary.unchanged,
    accounts_affected: summary.accountsAffected,
  }
}

/** Shows the summary with the accounts that see something else than before. */
export function namedSummaryView(summary: ChangeSummary) {
  return { ...summaryView(summary), accounts: summary.accountsNamed }
}
