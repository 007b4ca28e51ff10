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
