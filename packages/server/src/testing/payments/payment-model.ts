import type { Outcome } from '../../modules/providers/port/types.ts'
import { FAILED, NOT_FOUND, PENDING, SUCCEEDED, UNKNOWN } from '../providers/scripted-provider.ts'

// Model of payments in memory, without a database. The tests compare the money path with it.

/** Treatment of an account's orders by the provider: its answer at once, and its answer to a query. */
export const BEHAVIOURS = [
  'success',
  'failure',
  'pending_success',
  'pending_failure',
  'unknown_success',
  'unknown_failure',
  'pending_forever',
  /** Order that is answered only when the test releases it. Until then the provider has it and decides nothing. */
  'late_success',
  'late_failure',
  /** Order that never arrives. The sender cannot know it. */
  'lost',
  'lost_once',
] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

/** Returns true if the provider receives the order at this sending (first, second or third). */
export function arrives(behaviour: Behaviour, sending: number): boolean {
  return behaviour !== 'lost' && !(behaviour === 'lost_once' && sending === 1)
}

/**
 * Returns true if the answer is held until the test releases it: only at the first sending, for which no caller waits.
 */
export function isHeld(behaviour: Behaviour, sending: number): boolean {
  return behaviour.startsWith('late_') && sending === 1
}

export function firstAnswer(behaviour: Behaviour, sending: number): Outcome {
  if (!arrives(behaviour, sending) || behaviour.startsWith('unknown_')) return UNKNOWN
  if (behaviour.startsWith('pending_')) return PENDING
  return decisionOf(behaviour)
}

export function laterAnswer(behaviour: Behaviour, isUndecided: boolean): Outcome {
  return isUndecided || behaviour === 'pending_forever' ? PENDING : decisionOf(behaviour)
}

export function decisionOf(behaviour: Behaviour): Outcome {
  return behaviour.endsWith('failure') ? FAILED : SUCCEEDED
}

export type ModelPayment = {
  readonly reseller: number
  readonly refid: number
  readonly behaviour: Behaviour
  readonly amount: bigint
  readonly cost: bigint
  code: number
  /** Number of sendings, always with the same reference. */
  sendings: number
  /** True: a process has the lease, or had it when it died. */
  isLeased: boolean
  /** True: the provider has the order. */
  isBooked: boolean
  /** True: the process that sent it still waits for the answer. */
  isAwaited: boolean
  isLetGo: boolean
}

export type Model = { readonly balances: bigint[]; readonly payments: ModelPayment[] }

export type Said = Outcome | { readonly kind: 'voided' }

export function findModelPayment(model: Model, reseller: number, refid: number): ModelPayment | undefined {
  return model.payments.find((each) => each.reseller === reseller && each.refid === refid)
}

/** Takes a payment; undefined: the wallet has not enough money. */
export function takeInModel(
  model: Model,
  asked: Pick<ModelPayment, 'reseller' | 'refid' | 'behaviour' | 'amount' | 'cost'>,
): ModelPayment | undefined {
  const balance = model.balances[asked.reseller] as bigint
  if (asked.cost > balance) return undefined
  model.balances[asked.reseller] = balance - asked.cost
  const payment: ModelPayment = {
    ...asked,
    code: 0,
    sendings: 1,
    isLeased: true,
    isBooked: false,
    isAwaited: false,
    isLetGo: false,
  }
  model.payments.push(payment)
  return payment
}

export function isOpen({ code }: ModelPayment): boolean {
  return code === 0 || code === 1
}

export function recordOutcomeInModel(model: Model, payment: ModelPayment, said: Said): void {
  const giveBack = (code: number) => {
    payment.code = code
    model.balances[payment.reseller] = (model.balances[payment.reseller] as bigint) + payment.cost
  }
  if (said.kind === 'voided') {
    if (payment.code === 20) giveBack(53)
    return
  }
  if (!isOpen(payment)) return
  payment.isLeased = false
  if (said.kind === 'succeeded') payment.code = 20
  else if (said.kind === 'failed') giveBack(said.code)
  else payment.code = 1
}

/** Queries everything that is due, an hour after the last query. */
export function queryDueInModel(model: Model, leasesRanOut: boolean): void {
  for (const payment of model.payments) {
    if (!isOpen(payment) || (payment.isLeased && !leasesRanOut)) continue
    const { behaviour } = payment
    const isUndecided = isHeld(behaviour, payment.sendings) && !payment.isLetGo
    const answer: Outcome | typeof NOT_FOUND = payment.isBooked
      ? laterAnswer(behaviour, isUndecided)
      : NOT_FOUND
    if (answer.kind !== 'not_found') {
      recordOutcomeInModel(model, payment, answer)
    } else if (payment.sendings === 3) {
      recordOutcomeInModel(model, payment, { kind: 'failed', code: 47, reason: '' })
    } else {
      payment.sendings += 1
      payment.isBooked = arrives(behaviour, payment.sendings)
      const repeated = firstAnswer(behaviour, payment.sendings)
      // The failure of a repeated reference may be about this sending alone: the provider is asked.
      recordOutcomeInModel(model, payment, repeated.kind === 'failed' ? PENDING : repeated)
    }
  }
}
