import { defineBatchCall } from '../../../db/calls.ts'
import type { Queryable } from '../../../db/database.ts'
import type { SupplierFacts } from './supplier-facts.rules.ts'

const KEEP = defineBatchCall<SupplierFacts>()(
  { name: 'payments_keep_supplier_facts', text: 'select keep_supplier_facts(...)' },
  [
    ['p_resellers', 'bigint[]', (facts) => facts.resellerId],
    ['p_payments', 'bigint[]', (facts) => facts.paymentId],
    ['p_attempts', 'smallint[]', (facts) => facts.attempt],
    ['p_providers', 'text[]', (facts) => facts.provider],
    ['p_supplier_ids', 'text[]', (facts) => facts.supplierId],
    ['p_currencies', 'text[]', (facts) => facts.cost?.currency ?? null],
    ['p_costs', 'bigint[]', (facts) => facts.cost?.amount ?? null],
  ],
  {},
)

/** Keeps what suppliers said about attempts. Keeping it twice is harmless. */
export async function keepSupplierFacts(
  connection: Queryable,
  facts: readonly SupplierFacts[],
): Promise<void> {
  await connection.query(KEEP.statement, KEEP.valuesOf(facts, {}))
}
