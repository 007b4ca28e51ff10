import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { input } from '../../../http/codec.ts'
import { assert, RequestError } from '../../../lib/errors.ts'
import { formatMoney } from '../../../lib/money.ts'
import { repeat } from '../../../lib/repeat.ts'
import { act } from '../../acts/service.ts'
import { listDriftedCounts } from '../../payments/limits/service.ts'
import { verifyLedger } from '../../wallet/ledger/audit.service.ts'
import type { Break, LedgerReport, LedgerSums } from '../../wallet/ledger/audit.types.ts'
import { endAbandonedVerifications, finishProof, insertProof, touchProof } from './ledger.sql.ts'

const TOUCH_MS = 10_000
const FORGOTTEN_MS = 60_000

/** Starts a proof of the whole ledger, one at a time. `proveLedger` does it after the commit. */
export const beginProof = act({
  name: 'ledger.verify',
  input: input({}),
  async run(tx, _input, { caller }) {
    assert(caller.kind === 'operator', 'operators begin proofs that are kept')
    await endAbandonedVerifications(tx, FORGOTTEN_MS)
    const result = await insertProof(tx, caller.email)
    if (result === undefined) return { refuse: underway() }
    return { target: { kind: 'ledger', id: String(result.id) }, before: null, after: null, result }
  },
})

function underway(): RequestError {
  return new RequestError({
    status: 409,
    code: 'proof_underway',
    publicText: 'A check of the ledger is already running.',
  })
}

export type ProofSettings = {
  readonly database: Database
  readonly vault: Vault
  readonly onProblem: (text: string, error: unknown) => void
}

/** Verifies the whole ledger, which can take long, and writes the report into the proof. */
export async function proveLedger({ database, vault, onProblem }: ProofSettings, id: bigint): Promise<void> {
  const touching = repeat(
    TOUCH_MS,
    () => touchProof(database, id),
    (error) => onProblem('the progress of a ledger check could not be written', error),
  )
  try {
    const report = await verifyLedger({ database, vault, listDrifted: listDriftedCounts })
    await finishProof(database, id, { report: reportRow(report), trouble: null })
  } catch (error) {
    onProblem('the ledger could not be checked; start the check again', error)
    const trouble = 'it could not be finished; the log says why'
    await finishProof(database, id, { report: null, trouble }).catch(() => {})
  } finally {
    await touching.stop()
  }
}

// ── Report, as it is stored and shown ──

function reportRow(report: LedgerReport) {
  return {
    is_whole: report.breaks.length === 0,
    wallets: report.walletCount,
    entries: String(report.entryCount),
    unchained: String(report.unchainedCount),
    sums: report.sums === undefined ? null : sumsRow(report.sums),
    breaks: report.breaks.map(breakRow),
  }
}

function sumsRow({ walletsBalance, houses }: LedgerSums) {
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

function breakRow({ kind, account, sequence, expected, found }: Break) {
  return {
    kind,
    account: account ?? null,
    sequence: sequence === undefined ? null : String(sequence),
    expected,
    found,
  }
}
