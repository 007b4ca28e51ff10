import type { Queryable } from '../../db/database.ts'
import { formatMoney } from '../../lib/money.ts'
import { listAccounts } from '../payments/support/support.service.ts'
import type { Difference } from './types.ts'

/** Accounts of the payments that differences are about. */
type Accounts = Awaited<ReturnType<typeof listAccounts>>

export function readAccounts(database: Queryable, differences: readonly Difference[]): Promise<Accounts> {
  const ids = differences.flatMap(({ resellerId }) => (resellerId === null ? [] : [resellerId]))
  return listAccounts(database, ids)
}

export function differenceView(each: Difference, accounts: Accounts) {
  return {
    id: String(each.id),
    kind: each.kind,
    line: each.line === 0 ? null : each.line,
    reference: each.reference,
    reseller: each.resellerId === null ? null : (accounts.get(each.resellerId) ?? null),
    transaction_id: each.paymentId === null ? null : String(each.paymentId),
    theirs: each.theirs,
    ours: each.ours,
    theirs_myr: each.theirsRinggit === null ? null : formatMoney(each.theirsRinggit),
    ours_myr: each.oursRinggit === null ? null : formatMoney(each.oursRinggit),
    found_at: each.foundAt.toISOString(),
    closed_as: each.closedAs,
    closed_at: each.closedAt?.toISOString() ?? null,
    reason: each.reason,
  }
}
