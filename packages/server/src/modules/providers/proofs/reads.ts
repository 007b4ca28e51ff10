import type { Queryable } from '../../../db/database.ts'
import { getConnection } from '../connections/connections.service.ts'
import { listProofRows, listUnknown } from './sql.ts'
import type { Proof, UnknownAnswer } from './types.ts'

/** Lists the proofs of a provider, newest first. Answers 404 without such a provider. */
export async function listProofs(connection: Queryable, provider: string): Promise<Proof[]> {
  await getConnection(connection, provider)
  return listProofRows(connection, provider)
}

/** Lists the words of a provider that no table knows, the latest first. Answers 404 without such a provider. */
export async function listUnknownAnswers(connection: Queryable, provider: string): Promise<UnknownAnswer[]> {
  await getConnection(connection, provider)
  return listUnknown(connection, provider)
}
