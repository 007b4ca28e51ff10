import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { PaymentNames } from '../../../lib/observing/payment-stages.ts'
import { routeText } from '../../providers/connections/routing.view.ts'
import type { Provider } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import { publicReason } from '../core/codes.rules.ts'
import { nextQuestionMs } from '../core/schedule.rules.ts'
import type { Resolver } from '../outcomes/resolve.service.ts'
import type { Attempts } from './attempts.service.ts'
import type { Refusal } from './dispatch.rules.ts'
import { ATTEMPTS_MAX } from './dispatch.rules.ts'
import type { Dispatcher } from './dispatch.types.ts'
import type { OpenAttemptRow } from './open-attempts.sql.ts'
import { orderOf } from './questions.service.ts'
import type { WorkRow } from './work.sql.ts'
import { listProvidersBefore } from './work.sql.ts'

// Sendings of orders that certainly were not carried out.

export type ResendSettings = {
  database: Database
  vault: Vault
  providers: Providers
  resolver: Resolver
  dispatcher: Dispatcher
  attempts: Attempts
}

/** Limit of the sendings that follow from a node's or a provider's trouble. */
const SENDINGS_MAX = 3

/** Builds the names of a payment for logs. */
export function namesOf({ reseller_id, payment_id, refid, request_id }: OpenAttemptRow): PaymentNames {
  return { resellerId: reseller_id, paymentId: payment_id, refid, requestId: request_id ?? undefined }
}

export const NEVER_HEARD = 'the provider never heard of the one before'

/** Builds the fields that every command about this work has. */
export function commandFieldsOf(work: WorkRow) {
  const { reseller_id, payment_id, attempt, lease, provider, product_code } = work
  const { refid, requestId } = namesOf(work)
  const about = { provider, product: product_code, refid, requestId }
  return { resellerId: reseller_id, id: payment_id, attempt, lease, about }
}

/** Tells whether no further attempt is allowed. An attempt that a stopping node did not send does not count. */
function isLast({ attempt, repeats, is_unsent }: WorkRow): boolean {
  return attempt + repeats >= SENDINGS_MAX && !is_unsent
}

const lastReason = ({ attempt }: WorkRow) =>
  `the provider never heard of attempt ${attempt}, and it was the last`

/**
 * Sends the same reference again to a provider that does not know the order and acts once per reference. If the earlier
 * order still arrives, it is a duplicate there. No other provider may get the order: a late arrival would then be a
 * second fulfilment.
 */
export async function sendAgain(settings: ResendSettings, work: WorkRow, provider: Provider): Promise<void> {
  const { providers, resolver } = settings
  if (isLast(work)) return giveUp(settings, work, lastReason(work))
  if (!providers.takesOrders(provider.code)) {
    return giveUp(settings, work, `nobody takes it now: ${provider.code} is disabled`)
  }
  if (providers.isOpen(provider.code)) {
    const nextMs = nextQuestionMs(work.questions)
    await resolver.submit({ ...commandFieldsOf(work), outcome: { kind: 'pending' }, nextMs })
    return
  }
  await beginAndSend(settings, work, { provider: provider.code, reason: NEVER_HEARD, isRepeat: true })
}

/**
 * Sends the order under a new reference to a provider that takes such orders now. It certainly was not carried out. The
 * payment fails if no provider takes it. `refusal`: the present provider has refused it, so that it does not get the order
 * again; a provider that the payment was moved away from does not either.
 */
export async function sendElsewhere(
  settings: ResendSettings,
  work: WorkRow,
  why: string,
  refusal?: Refusal,
): Promise<void> {
  if (refusal === undefined && isLast(work)) return giveUp(settings, work, lastReason(work))
  const tried = new Set(await listProvidersBefore(settings.database, work))
  if (refusal === undefined) tried.delete(work.provider)
  else tried.add(work.provider)
  const choice = settings.providers.choose({
    productCode: work.product_code,
    faceValue: work.face_value,
    tried,
    withoutStock: true,
  })
  if (choice.kind !== 'chosen' || work.attempt >= ATTEMPTS_MAX) {
    const others = choice.kind === 'chosen' ? null : routeText(choice)
    const reason = [refusal === undefined ? 'nobody takes it now' : `${why}; nobody else`, others ?? []]
    return giveUp(settings, work, reason.flat().join(': '), refusal)
  }
  const reason = [why, routeText(choice) ?? []].flat().join('; ')
  await beginAndSend(settings, work, { provider: choice.provider.code, reason, isRepeat: false, tried })
}

/** Writes the attempt before it is sent. */
async function beginAndSend(
  settings: ResendSettings,
  work: WorkRow,
  {
    tried,
    ...next
  }: {
    readonly provider: string
    readonly reason: string
    readonly isRepeat: boolean
    readonly tried?: ReadonlySet<string>
  },
): Promise<void> {
  const { reseller_id: resellerId, payment_id: paymentId, lease } = work
  const begun = await settings.attempts.begin({
    resellerId,
    paymentId,
    attempt: work.attempt,
    lease,
    ...next,
    isBegun: true,
  })
  if (begun === undefined) return
  const attempt = next.isRepeat ? work.attempt : work.attempt + 1
  await settings.dispatcher.send({
    ...namesOf(work),
    resellerId,
    paymentId,
    attempt,
    lease: begun.lease,
    isRepeat: next.isRepeat,
    provider: next.provider,
    order: await orderOf(settings.vault, {
      ...work,
      attempt,
      submitted_at: begun.submittedAt,
      ahead_ms: 0n,
      supplier_reference: next.isRepeat ? work.supplier_reference : null,
      supplier_id: null,
    }),
    questionsAsked: work.questions,
    leaseEndsMs: begun.leaseEndsMs,
    ...(tried !== undefined && { tried }),
  })
}

const NOBODY: Refusal = { code: 47, reason: 'Service_Unavailable' }

/** Fails a payment that certainly was not carried out and that no provider gets: the money goes back. */
async function giveUp(
  settings: ResendSettings,
  work: WorkRow,
  reason: string,
  { code, reason: text }: Refusal = NOBODY,
): Promise<void> {
  const { reseller_id: resellerId, payment_id: paymentId, attempt, lease } = work
  const command = { resellerId, paymentId, attempt, lease, provider: null, reason, isBegun: false }
  await settings.attempts.begin(command)
  await settings.resolver.submit({
    ...commandFieldsOf(work),
    outcome: { kind: 'failed', code, reason: publicReason(code) ?? text },
    isConcluded: true,
    nextMs: 0,
  })
}
