import type { Order, Provider } from '../../providers/port/types.ts'
import type { Attempts } from './attempts.service.ts'
import type { Dispatch } from './dispatch.types.ts'
import type { LeaseCheckSettings } from './lease-check.service.ts'
import { isConfirmed, mustConfirm } from './lease-check.service.ts'

type SendingSettings = LeaseCheckSettings & { attempts: Pick<Attempts, 'keepReference'> }

export type OrderToSend =
  | { readonly kind: 'ready'; readonly order: Order }
  /** The attempt is not its holder's any more, or the database could not say so: nothing is sent. */
  | { readonly kind: 'gone' }
  /** The provider's form of the reference cannot be written for this order. */
  | { readonly kind: 'unwritable'; readonly reason: string }

/** Tells whether something must be written or confirmed before the order is sent: not for most first sendings. */
export function mustPrepare(
  settings: LeaseCheckSettings,
  { referenceOf }: Pick<Provider, 'referenceOf'>,
  dispatch: Dispatch,
  hasWaited: boolean,
): boolean {
  return referenceOf !== undefined || mustConfirm(settings, dispatch, hasWaited)
}

/**
 * Returns the order as it is sent, after the lease was confirmed where that is needed. A reference in the provider's own
 * form is kept before anything is sent, by a statement that confirms the lease, too. A repetition has the reference that
 * its order already carries.
 */
export async function orderToSend(
  settings: SendingSettings,
  provider: Pick<Provider, 'code' | 'referenceOf'>,
  dispatch: Dispatch,
  hasWaited: boolean,
): Promise<OrderToSend> {
  const { order } = dispatch
  if (provider.referenceOf === undefined || dispatch.isRepeat === true) {
    const isOurs = !mustConfirm(settings, dispatch, hasWaited) || (await isConfirmed(settings, dispatch))
    return isOurs ? { kind: 'ready', order } : { kind: 'gone' }
  }
  let wanted: string
  try {
    wanted = provider.referenceOf(order)
  } catch (error) {
    return { kind: 'unwritable', reason: `its reference cannot be written: ${String(error)}` }
  }
  if (!REFERENCE.test(wanted)) return { kind: 'unwritable', reason: 'its reference cannot be stored' }
  const reference = await keptReference(settings, provider.code, dispatch, wanted)
  return reference === undefined ? { kind: 'gone' } : { kind: 'ready', order: { ...order, reference } }
}

const REFERENCE = /^[\x21-\x7e]{1,200}$/

async function keptReference(
  { attempts, failpoint, onProblem }: SendingSettings,
  provider: string,
  dispatch: Dispatch,
  reference: string,
): Promise<string | undefined> {
  const { resellerId, paymentId, attempt, lease } = dispatch
  try {
    const kept = await attempts.keepReference({ resellerId, paymentId, attempt, lease, provider, reference })
    if (kept !== undefined) failpoint('dispatch.confirmed')
    return kept
  } catch (error) {
    onProblem(`payment ${paymentId} is not sent: its reference could not be kept`, error, dispatch)
    return undefined
  }
}
