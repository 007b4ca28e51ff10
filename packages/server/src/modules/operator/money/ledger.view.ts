import { formatMoney } from '../../../lib/money.ts'
import type { Break, LedgerReport, LedgerSums } from '../../wallet/ledger/audit.types.ts'
import type { ProofRow } from './ledger.sql.ts'

export function proofView(row: ProofRow) {
  return {
    id: String(row.id),
    requested_by: row.requested_by,
    started_at: row.started_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    report: row.report ?? null,
    trouble: row.trouble,
  }
}

export function ledgerReportView(report: LedgerReport) {
  return {
    is_whole: report.breaks.length === 0,
    wallets: report.walletCount,
    entries: String(report.entryCount),
    unchained: String(report.unchainedCount),
    sums: report.sums === undefined ? null : sumsView(report.sums),
    breaks: report.breaks.map(breakView),
  }
}

function sumsView({ walletsBalance, houses }: LedgerSums) {
  return {
    wallets: formatMoney(walletsBalance),
    houses: houses.map(({ houseAccount, entries, balance }) => ({
      house_account: houseAccount,
      entries: String(entries),
      balance: formatMoney(balance),
    })),
    total: formatMoney(houses.reduce((total, { balance }) => total + balance, walletsBalance)),
  }
}

function breakView({ kind, account, sequence, expected, found }: Break) {
  return {
    kind,
    account: account ?? null,
    sequence: sequence === undefined ? null : String(sequence),
    expected,
    found,
  }
}
