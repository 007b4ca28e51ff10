import type { LeaseClock } from '../../../db/lease-clock.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { withTimeout } from '../../../lib/timeouts.ts'
import type { Order, Provider, QueryAnswer } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { referenceOf } from '../core/schedule.rules.ts'
import { openInput } from '../core/secrets.service.ts'
import type { ReversedAttempt } from '../outcomes/reversals.sql.ts'
import type { OpenAttemptRow } from './open-attempts.sql.ts'

// Questions to providers about orders that were, or may have been, sent.

export type AskingSettings = {
  vault: Vault
  providers: Providers
  leaseMs: number
  leaseClock: LeaseClock
}

/** Asks a provider about an order; `unknown` if the provider is no longer configured. */
export async function ask({ vault, providers }: AskingSettings, work: OpenAttemptRow): Promise<QueryAnswer> {
  const provider = providers.byCode(work.provider)
  if (provider === undefined) {
    return { kind: 'unknown', reason: `provider ${work.provider} is not configured` }
  }
  const order = await orderOf(vault, work)
  return withTimeout(provider.queryTimeoutMs, (signal) => provider.query(order, signal))
}

/**
 * Tells whether "not found" proves that the order will not be carried out. A provider that does not know an order may
 * still receive it. The holder of the attempt could send it as long as its lease would outlast the answer (the order
 * may have waited for a place among those under way). So the end of that lease is the last moment at which the holder
 * waited for an answer. Time that passed only by a step of the database's clock does not count.
 */
export function provesAbsence(
  { leaseMs, leaseClock }: AskingSettings,
  { notFoundProvesAfterMs }: Provider,
  work: OpenAttemptRow,
): boolean {
  if (notFoundProvesAfterMs === null) return false
  const provedMs = leaseMs + notFoundProvesAfterMs
  return work.submitted_ms_ago > provedMs && leaseClock.steadyForMs() > provedMs
}

/** Returns the reference under which the provider has the attempt. */
export function referenceAt(
  work: Pick<OpenAttemptRow, 'payment_id' | 'attempt' | 'supplier_reference'>,
): string {
  return work.supplier_reference ?? referenceOf(work.payment_id, work.attempt)
}

/** Names an attempt of which its provider says, when asked, that it took the order back. */
export function reversedAt(work: OpenAttemptRow): ReversedAttempt {
  return {
    resellerId: work.reseller_id,
    id: work.payment_id,
    attempt: work.attempt,
    provider: work.provider,
    reference: referenceAt(work),
    evidence: 'asked about',
  }
}

export function orderOf(vault: Vault, work: OpenAttemptRow): Promise<Order> {
  return withFreshKeys(vault, () => ({
    reference: referenceAt(work),
    supplierId: work.supplier_id,
    productCode: work.product_code,
    account: work.account,
    amount: work.amount,
    faceValue: work.face_value,
    subproductCode: work.plan_code,
    billerCode: work.biller_code,
    ref2: work.ref2,
    icNumber: openInput(vault, work.reseller_id, work.refid, work.sealed_input),
    submittedAt: new Date(work.submitted_at.getTime() - Number(work.ahead_ms)),
  }))
}
