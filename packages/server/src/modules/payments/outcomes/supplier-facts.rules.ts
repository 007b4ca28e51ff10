import { CURRENCY_CODE } from '../../../lib/input/codes.ts'
import type { CurrencyAmount, Outcome } from '../../providers/port/types.ts'

/** Facts that a supplier told about an attempt beside its outcome. Null: not told. */
export type SupplierFacts = {
  readonly resellerId: bigint
  readonly paymentId: bigint
  readonly attempt: number
  readonly provider: string
  /** The supplier's own id of the order. */
  readonly supplierId: string | null
  /** Money that it took from us. */
  readonly cost: CurrencyAmount | null
}

/** Answer about an attempt. */
type Answer = {
  readonly resellerId: bigint
  readonly id: bigint
  readonly attempt?: number
  readonly about?: { readonly provider: string }
  readonly outcome: Outcome | { readonly kind: 'voided' }
}

const SUPPLIER_ID = /^[^\p{Cc}\p{Cs}]{1,200}$/u
const COST_MAX = 2n ** 63n - 1n

/**
 * Reads the facts of an answer; undefined: it has none. Something that cannot be stored is left out: it must not keep
 * the outcome from being written.
 */
export function supplierFactsOf({
  resellerId,
  id: paymentId,
  attempt,
  about,
  outcome,
}: Answer): SupplierFacts | undefined {
  if (outcome.kind === 'failed' || outcome.kind === 'voided') return undefined
  const cost = outcome.kind === 'succeeded' ? outcome.cost : undefined
  if (outcome.supplierId === undefined && cost === undefined) return undefined
  if (attempt === undefined || about === undefined) return undefined
  const supplierId = isSupplierId(outcome.supplierId) ? outcome.supplierId : null
  const known = isCost(cost) ? cost : null
  if (supplierId === null && known === null) return undefined
  return { resellerId, paymentId, attempt, provider: about.provider, supplierId, cost: known }
}

function isSupplierId(text: string | undefined): text is string {
  return text !== undefined && SUPPLIER_ID.test(text)
}

function isCost(cost: CurrencyAmount | undefined): cost is CurrencyAmount {
  return (
    cost !== undefined &&
    cost.amount >= 0n &&
    cost.amount <= COST_MAX &&
    CURRENCY_CODE.read(cost.currency) !== undefined
  )
}
