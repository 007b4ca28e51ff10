import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../console/roles.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import { ProofBody, ProofListResponse, ProofResponse } from './ledger.schemas.ts'
import { beginLedgerProof, listLedgerProofs } from './ledger.service.ts'
import { proofView } from './ledger.view.ts'

const TAG = 'Ledger'
const PATH = '/operator/v1/ledger/proofs'

export function operatorLedgerOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'listLedgerProofs',
        summary: 'The latest proofs of the ledger',
        description: 'When the ledger was gone through, and what was found; the last 30, newest first.',
        tag: TAG,
      },
      schemas: { responses: { 200: ProofListResponse } },
      authenticate: authenticate(...rolesFor('ledger.read')),
      async handle() {
        const proofs = await listLedgerProofs(context)
        return { status: 200, body: { data: proofs.map(proofView), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'POST',
      path: PATH,
      docs: {
        operationId: 'beginLedgerProof',
        summary: 'Begin a proof of the ledger',
        description: 'It changes nothing and may take long; one at a time. The list shows its result.',
        tag: TAG,
      },
      schemas: {
        body: ProofBody,
        responses: { 202: ProofResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('ledger.verify')),
      async handle({ caller, body }) {
        const proof = await beginLedgerProof(context, caller, body.reason)
        return { status: 202, body: { data: proofView(proof) } }
      },
    }),
  ]
}
