import { noFailpoint } from '../lib/failpoints.ts'
import { createAttempts } from '../modules/payments/attempts.service.ts'
import type { Dispatch, Dispatcher } from '../modules/payments/dispatch.service.ts'
import { createDispatcher } from '../modules/payments/dispatch.service.ts'
import type { Payment } from '../modules/payments/types.ts'
import type { Providers } from '../modules/providers/registry.service.ts'
import type { Node } from './payments.ts'
import { LEASE_MS } from './payments.ts'

/** Sends what it is given to these providers, and writes down what came of it at this node. */
export function dispatcherAmong(
  { database, resolver }: Node,
  providers: Providers,
): Dispatcher & { problems: string[] } {
  const problems: string[] = []
  const dispatcher = createDispatcher({
    providers,
    resolver,
    attempts: createAttempts({ database, leaseMs: LEASE_MS, failpoint: noFailpoint }),
    failpoint: noFailpoint,
    onProblem: (text) => problems.push(text),
  })
  return Object.assign(dispatcher, { problems })
}

/** The first attempt at a payment, as the node that took it sends it. */
export function dispatchOf(payment: Payment, change: Partial<Dispatch> = {}): Dispatch {
  return {
    resellerId: payment.resellerId,
    paymentId: payment.id,
    attempt: 1,
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
    leaseEndsMs: performance.now() + LEASE_MS,
    ...change,
  }
}
