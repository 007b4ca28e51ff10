import type { Client } from './client.ts'
import { createClient } from './client.ts'
import type { OperatorOperations } from './operator-operations.generated.ts'
import { OPERATOR_ROUTES } from './operator-operations.generated.ts'
import { readsOf } from './reads.ts'
import { announceSignedOut, askForProof, setSecondFactorMissing } from './signals.ts'

export type { OperatorOperations } from './operator-operations.generated.ts'

/** Client of the operators' API, for the signed-in operator. */
export const operator: Client<OperatorOperations> = createClient<OperatorOperations>(OPERATOR_ROUTES, {
  onSignedOut: announceSignedOut,
  onProofRequired: askForProof,
  onSecondFactorMissing: () => setSecondFactorMissing(true),
})

export const {
  keyOf: operatorKey,
  queryOf: operatorQuery,
  useRead: useOperator,
  useReadAhead: useOperatorAhead,
} = readsOf('operator', operator)
