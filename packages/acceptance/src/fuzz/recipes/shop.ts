import type { Subscriber } from '../../events/subscriber.ts'
import { createSubscriber } from '../../events/subscriber.ts'
import type { PaymentData } from '../../payments.ts'
import { reload } from '../../payments.ts'
import type { Member } from '../../portal/members.ts'
import { newMember } from '../../portal/members.ts'
import { startReceiver } from '../../receiver/receiver.ts'
import type { Service } from '../../service.ts'

/**
 * Reseller that has one of everything: payments, orders, and deliveries of all streams, which its receiver refuses, so
 * that they can be sent again.
 * Requests about its things get beyond the checks of their state. No other request names it, so that it stays open.
 */
export type Shop = {
  readonly subscriber: Subscriber
  readonly member: Member
}

export async function openShop(service: Service): Promise<Shop> {
  const receiver = await startReceiver()
  const subscriber = await createSubscriber(service, null)
  await receiver.answer('/fuzz', 404)
  const url = `${receiver.urls.secure}/fuzz`
  await subscriber.setCallback(url, 'POST')
  for (const hook of ['balance-webhook', 'catalog-webhook', 'order-webhook'] as const) {
    await subscriber.setWebhook(hook, url)
  }
  // The deposit comes after the webhook, and is its first event.
  await service.warungd('deposit', '--reseller', subscriber.account, '--amount', '1000000', '--remarks', 'x')
  return { subscriber, member: await newMember(service, subscriber.account, 'admin') }
}

/** Makes a payment that has succeeded. */
export function payAt({ subscriber }: Shop): Promise<PaymentData> {
  return subscriber.untilStatus(reload(), 'Succesful')
}

/** Product whose payments can be taken back. */
export const REFUNDABLE = 'NOVAPOST'

/** Makes a payment that has succeeded and can be taken back. */
export function payBillAt({ subscriber }: Shop): Promise<PaymentData> {
  return subscriber.untilStatus(reload({ product: REFUNDABLE }), 'Succesful')
}
