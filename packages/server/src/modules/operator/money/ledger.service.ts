import { RequestError } from '../../../lib/errors.ts'
import { repeat } from '../../../lib/repeat.ts'
import { audited } from '../../audit/service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { verifyLedger } from '../../wallet/ledger/audit.service.ts'
import type { MoneyContext } from '../console/types.ts'
import type { ProofRow } from './ledger.sql.ts'
import { endAbandonedVerifications, finishProof, insertProof, listProofs, touchProof } from './ledger.sql.ts'
import { ledgerReportView } from './ledger.view.ts'

type LedgerContext = Pick<MoneyContext, 'database' | 'vault' | 'log' | 'onProblem'>

const PROOFS_MAX = 30
const TOUCH_MS = 10_000
const FORGOTTEN_MS = 60_000

/** Lists the newest first. The first one may still be running. */
export function listLedgerProofs({ database }: LedgerContext): Promise<ProofRow[]> {
  return listProofs(database, PROOFS_MAX)
}

/** Starts a verification of the whole ledger, which can take long. Its result appears in the list. */
export async function beginLedgerProof(
  context: LedgerContext,
  caller: OperatorCaller,
  reason: unknown,
): Promise<ProofRow> {
  const proof = await audited(context.log, { caller, action: 'ledger.verify', reason }, async (tx) => {
    await endAbandonedVerifications(tx, FORGOTTEN_MS)
    const row = await insertProof(tx, caller.email)
    if (row === undefined) throw underway()
    return { target: { kind: 'ledger', id: String(row.id) }, before: null, after: null, result: row }
  })
  void prove(context, proof.id)
  return proof
}

async function prove({ database, vault, onProblem }: LedgerContext, id: bigint): Promise<void> {
  const touching = repeat(
    TOUCH_MS,
    () => touchProof(database, id),
    (error) => onProblem('the progress of a ledger check could not be written', error),
  )
  try {
    const report = await verifyLedger({ database, vault })
    await finishProof(database, id, { report: ledgerReportView(report), trouble: null })
  } catch (error) {
    onProblem('the ledger could not be checked; start the check again', error)
    const trouble = 'it could not be finished; the log says why'
    await finishProof(database, id, { report: null, trouble }).catch(() => {})
  } finally {
    await touching.stop()
  }
}

function underway(): RequestError {
  return new RequestError({
    status: 409,
    code: 'proof_underway',
    publicText: 'A check of the ledger is already running.',
  })
}
