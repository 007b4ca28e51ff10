import { expect } from 'vitest'
import type { CheckoutOrder } from '../checkout-orders.ts'
import { reloadOrder } from '../checkout-orders.ts'
import type { Subscriber } from '../events/subscriber.ts'
import { newPath } from '../events/subscriber.ts'
import type { Receiver } from '../receiver/receiver.ts'
import type { Driver } from './driver.ts'
import type { DriverKind } from './drivers.ts'
import { needing } from './drivers.ts'

type Context = { readonly driver: Driver; readonly reseller: Subscriber; readonly receiver: Receiver }
type Verified = { stream: string; id: string; payload: Record<string, unknown> }

const NO_ORDER = `ord_${'0'.repeat(24)}`

/** Declares the journeys of an integrator who sells by the hosted checkout. */
export function checkoutJourneys(kind: DriverKind, context: () => Context): void {
  needing(kind, 'webhooks')(
    'makes an order once, confirms it once, and verifies the event that ends it',
    async () => {
      const { driver, reseller, receiver } = context()
      const path = newPath()
      const secret = await reseller.setWebhook('order-webhook', `${receiver.urls.secure}${path}`)
      const input = reloadOrder()
      const create = (more: object = {}) => ({ name: 'createOrder', input: { ...input, ...more } })
      const { data: order } = await driver.do<{ data: CheckoutOrder }>('operation', create())
      const { data: again } = await driver.do<{ data: CheckoutOrder }>('operation', create())
      expect([again.order_id, again.client_token]).toEqual([order.order_id, order.client_token])
      const other = await driver.fail('operation', create({ user_id: 'u-2' }))
      expect(other).toMatchObject({ class: 'Conflict', token: 'reference_conflict', retrySafe: false })
      expect(Object.keys(other.errors ?? {})).toEqual(['user_id'])

      const confirm = (more: object = {}) => ({
        name: 'confirmOrder',
        input: { order_id: order.order_id, payment_reference: 'bank-1', ...more },
      })
      const wrong = await driver.fail('operation', confirm({ total_amount: '9.99' }))
      expect(wrong).toMatchObject({ class: 'Conflict', token: 'amount_mismatch' })
      await driver.do('operation', confirm({ total_amount: order.total_amount }))
      await driver.do('operation', confirm())
      const second = await driver.fail('operation', confirm({ payment_reference: 'bank-2' }))
      expect(second).toMatchObject({ class: 'Conflict', token: 'already_confirmed' })

      const [received] = await receiver.untilReceived(path, 1)
      if (received === undefined) throw new Error('a webhook came')
      const { method, url, headers, body } = received
      const request = { method, url, headers, body }
      const verified = await driver.do<Verified>('verifyWebhook', { request, secrets: [secret] })
      expect(verified).toMatchObject({
        stream: 'order',
        isTest: false,
        payload: { type: 'order.completed', status: 'completed', reference: order.reference },
      })
      const listed = await driver.do<CheckoutOrder[]>('list', {
        iterator: 'orders',
        input: { reference: order.reference },
      })
      expect(listed).toMatchObject([{ order_id: order.order_id, status: 'completed' }])
    },
  )

  needing(kind, 'errors')(
    'cancels an order once, and tells an order that does not exist from one that cannot be confirmed',
    async () => {
      const { driver } = context()
      const { data: order } = await driver.do<{ data: CheckoutOrder }>('operation', {
        name: 'createOrder',
        input: reloadOrder(),
      })
      const { order_id: id } = order
      const cancel = { name: 'cancelOrder', input: { order_id: id } }
      await driver.do('operation', cancel)
      expect(await driver.do('operation', cancel)).toMatchObject({ data: { status: 'cancelled' } })
      const confirm = (orderId: string) => ({
        name: 'confirmOrder',
        input: { order_id: orderId, payment_reference: 'bank-3' },
      })
      expect(await driver.fail('operation', confirm(id))).toMatchObject({
        class: 'Conflict',
        token: 'order_cancelled',
      })
      expect(await driver.fail('operation', confirm(NO_ORDER))).toMatchObject({
        class: 'NotFound',
        token: 'order_not_found',
      })
    },
  )
}
