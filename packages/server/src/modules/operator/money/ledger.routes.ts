import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { Instant, orNull } from '../../../http/schemas.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { listOf } from '../kit/schemas.ts'
import type { ProofSettings } from './ledger.acts.ts'
import { beginProof, proveLedger } from './ledger.acts.ts'
import type { ProofRow } from './ledger.sql.ts'
import { listProofs } from './ledger.sql.ts'

const TAG = 'Ledger'
const PATH = '/operator/v1/ledger/proofs'
const PROOFS_MAX = 30

const text = () => Type.String()

const Report = Type.Object({
  is_whole: Type.Boolean(),
  wallets: Type.Number(),
  entries: text(),
  unchained: Type.String({ description: 'Entries so new that the chain has not reached them' }),
  sums: orNull(
    Type.Object({
      wallets: Type.String({ description: 'Sum of all wallets, in ringgit' }),
      houses: Type.Array(Type.Object({ house_account: text(), entries: text(), balance: text() })),
      total: Type.String({ description: 'Wallets and house accounts together: 0.00' }),
    }),
  ),
  breaks: Type.Array(
    Type.Object({
      kind: text(),
      account: orNull(text()),
      sequence: orNull(text()),
      expected: text(),
      found: text(),
    }),
    { description: 'The first one of each wallet, then those of the whole; at most 100' },
  ),
})

const PROOF = resource<ProofRow>()('Ledger proof', {
  id: [text(), ({ id }) => String(id)],
  requested_by: [text(), (row) => row.requested_by],
  started_at: [Instant, (row) => row.started_at.toISOString()],
  finished_at: [orNull(Instant, 'null: it is under way'), (row) => row.finished_at?.toISOString() ?? null],
  // Reports of earlier releases are shown as they were stored.
  report: [Type.Unsafe<unknown>(orNull(Report)), ({ report }) => report ?? null],
  trouble: [orNull(text(), 'Why there is no report'), ({ trouble }) => trouble],
})

export function operatorLedgerOperations(
  stage: OperatorStage<unknown>,
  settings: ProofSettings,
): Operation[] {
  const { authenticate } = stage
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
      schemas: { responses: { 200: listOf(PROOF.schema) } },
      authenticate: authenticate(...rolesFor('ledger.read')),
      async handle() {
        const proofs = await listProofs(settings.database, PROOFS_MAX)
        const data = proofs.map((proof) => PROOF.encode(proof))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operatorAct(stage, {
      act: beginProof,
      method: 'POST',
      path: PATH,
      permission: 'ledger.verify',
      docs: {
        operationId: 'beginLedgerProof',
        summary: 'Begin a proof of the ledger',
        description: 'It changes nothing and may take long; one at a time. The list shows its result.',
        tag: TAG,
      },
      body: 'Reason request',
      status: 202,
      answer: PROOF.schema,
      also: [409],
      view: (proof) => PROOF.encode(proof),
      onDone: ({ id }) => void proveLedger(settings, id),
    }),
  ]
}
