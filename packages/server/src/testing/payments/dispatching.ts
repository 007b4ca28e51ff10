import type { Database } from '../../db/database.ts'
import type { Failpoint } from '../../lib/failpoints.ts'
import { noFailpoint } from '../../lib/failpoints.ts'
import { leaseNowMs } from '../../lib/lease-time.ts'
import type { Payment } from '../../modules/payments/core/types.ts'
import { createAttempts } from '../../modules/payments/fulfil/attempts.service.ts'
import { createDispatcher } from '../../modules/payments/fulfil/dispatch.service.ts'
import type { Dispatch, Dispatcher } from '../../modules/payments/fulfil/dispatch.types.ts'
import type { Recovery, RecoverySettings } from '../../modules/payments/fulfil/recovery.jobs.ts'
import { startRecovery } from '../../modules/payments/fulfil/recovery.jobs.ts'
import type { WorkRow } from '../../modules/payments/fulfil/work.sql.ts'
import { beginAttempts, claimWork } from '../../modules/payments/fulfil/work.sql.ts'
import type { Providers } from '../../modules/providers/registry.service.ts'
import { STEADY_CLOCK } from '../steady-clock.ts'
import type { Node, PaymentsBench } from './payments.ts'
import { LEASE_MS } from './payments.ts'

/** Makes a dispatcher that sends to these providers, and records the outcomes at this node. */
export function dispatcherAmong(
  { database, resolver }: Pick<Node, 'database' | 'resolver'>,
  providers: Providers,
  failpoint: Failpoint = noFailpoint,
): Dispatcher & { problems: string[] } {
  const problems: string[] = []
  const dispatcher = createDispatcher({
    providers,
    resolver,
    attempts: createAttempts({ database, leaseMs: LEASE_MS, failpoint: noFailpoint }),
    leaseMs: LEASE_MS,
    failpoint,
    onProblem: (text) => problems.push(text),
  })
  return Object.assign(dispatcher, { problems })
}

/** Makes the recovery of another node. By default it runs only when it is called: its own runs are a day apart. */
export function recoveryAt(
  bench: PaymentsBench,
  providers: Providers,
  times: Partial<Pick<RecoverySettings, 'everyMs' | 'patienceMs' | 'leaseClock' | 'failpoint'>> = {},
): Recovery & { problems: string[] } {
  const problems: string[] = []
  const { database, resolver } = bench.openNode()
  const settings = {
    database,
    vault: bench.vault,
    providers,
    resolver,
    failpoint: noFailpoint,
    leaseMs: LEASE_MS,
    leaseClock: STEADY_CLOCK,
    onProblem: (text: string, error: unknown) => problems.push(`${text}: ${String(error)}`),
  }
  const attempts = createAttempts(settings)
  const dispatcher = createDispatcher({ ...settings, attempts })
  const recovery = startRecovery({ ...settings, attempts, dispatcher, everyMs: 86_400_000, ...times })
  return Object.assign(recovery, { problems })
}

/** Makes the first attempt at a payment, as the node that took it sends it. */
export function dispatchOf(payment: Payment, change: Partial<Dispatch> = {}): Dispatch {
  return {
    resellerId: payment.resellerId,
    paymentId: payment.id,
    attempt: 1,
    lease: 1,
    provider: 'scripted',
    order: {
      reference: `W${payment.id}-1`,
      productCode: 'NOVA',
      account: payment.account,
      amount: payment.amount,
      faceValue: payment.amount,
      subproductCode: null,
      billerCode: null,
      ref2: null,
      icNumber: null,
      submittedAt: payment.createdAt,
    },
    questionsAsked: 0,
    leaseEndsMs: leaseNowMs() + LEASE_MS,
    ...change,
  }
}

/**
 * Begins another attempt at the same provider, as another node does that takes the payment over. Returns undefined if
 * another one was faster.
 */
export async function beginAttempt(
  database: Database,
  work: Pick<WorkRow, 'reseller_id' | 'payment_id' | 'attempt'>,
  leaseMs: number,
  reason: string,
): Promise<Date | undefined> {
  const { reseller_id: resellerId, payment_id: paymentId, attempt } = work
  const command = { resellerId, paymentId, attempt, lease: null, provider: null, reason, isBegun: true }
  const [begun] = await database.transaction((tx) => beginAttempts(tx, [command], leaseMs))
  return begun?.submitted_at
}

/** Claims a payment whose lease has ended, as another node does. The previous holder does not know. */
export async function takeOver(bench: PaymentsBench, payment: Payment): Promise<WorkRow> {
  await bench.age(payment, LEASE_MS / 1_000 + 1)
  const believedUntil = STEADY_CLOCK.believedUntil()
  const claimed = await claimWork(bench.database, { limit: 1_000, leaseMs: LEASE_MS, believedUntil })
  const work = claimed.find(({ payment_id }) => payment_id === payment.id)
  if (work === undefined) throw new Error(`payment ${payment.id} could not be taken over`)
  return work
}
