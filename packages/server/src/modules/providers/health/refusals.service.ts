import type { Queryable } from '../../../db/database.ts'
import type { Collected } from '../../../lib/observing/collecting.ts'
import { collecting } from '../../../lib/observing/collecting.ts'
import { getConnection } from '../connections/connections.service.ts'
import type { CountedRefusal, Refusal } from './health.types.ts'
import { countRefusals, listRefusalRows } from './refusals.sql.ts'

export type RefusalSettings = {
  readonly database: Queryable
  readonly onProblem: (text: string, error: unknown) => void
}

/** Collects the answers by which suppliers refuse orders. */
export function collectRefusals({ database, onProblem }: RefusalSettings): Collected<Refusal> {
  return collecting<Refusal>({
    keyOf: ({ provider, outcome, word, code }) => JSON.stringify([provider, outcome, word, code]),
    save: (seen) => countRefusals(database, seen),
    trouble: "suppliers' refusals cannot be counted",
    onProblem,
  })
}

/** Lists why a provider refused orders in the last seven days. Answers 404 without such a provider. */
export async function listRefusals(connection: Queryable, provider: string): Promise<CountedRefusal[]> {
  await getConnection(connection, provider)
  return listRefusalRows(connection, provider)
}
