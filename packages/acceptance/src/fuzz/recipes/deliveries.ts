import type { Delivery, Hook } from '../../events/subscriber.ts'
import { createOrder } from '../../orders.ts'
import { deposit } from '../../payments.ts'
import { until } from '../../service.ts'
import type { Target } from '../target.ts'
import type { Recipe, Recipes } from './recipe.ts'
import { payAt } from './shop.ts'
import { memberOf, programOf } from './staff.ts'

// Deliveries of events that the shop's receiver has refused. Only events that really happened can be sent again.

type Stream = 'callback' | 'balance' | 'catalog' | 'order'

const STREAMS: Readonly<Record<Stream, { hook: Hook; name: string }>> = {
  callback: { hook: 'callback-url', name: 'Callback' },
  balance: { hook: 'balance-webhook', name: 'BalanceWebhook' },
  catalog: { hook: 'catalog-webhook', name: 'CatalogWebhook' },
  order: { hook: 'order-webhook', name: 'OrderWebhook' },
}

/** Lets the event of each stream happen. */
const CAUSES: Readonly<Record<Stream, (target: Target) => Promise<unknown>>> = {
  callback: ({ shop }) => payAt(shop),
  balance: ({ service, shop }) => deposit(service, shop.subscriber.account, '1'),
  catalog: async ({ service, shop }) => {
    const whose = ['--reseller', shop.subscriber.account, '--product', 'PINTEN']
    for (const verb of ['forbid', 'permit']) await service.warungd('catalog', verb, ...whose)
  },
  order: ({ service, shop }) => createOrder(service, shop.subscriber),
}

const REPLAYS_MAX = 3

/** Returns a delivery that failed and may be sent again. */
async function deliveryOf(target: Target, stream: Stream): Promise<string> {
  const { subscriber } = target.shop
  const sent = async () => {
    const list = await subscriber.deliveries(STREAMS[stream].hook, 'status=failed&limit=100')
    const isFree = (each: Delivery) => each.originalJobId === null && each.replayCount < REPLAYS_MAX
    return list.find((each) => isFree(each) && !each.eventId.startsWith('evt_test_'))?.id
  }
  const known = await sent()
  if (known !== undefined) return known
  await CAUSES[stream](target)
  return until(`an event of ${stream} is delivered`, sent)
}

function recipesOf(stream: Stream): Record<string, Recipe> {
  const { name } = STREAMS[stream]
  const about = async (target: Target) => ({
    actor: programOf(target),
    path: { jobId: await deliveryOf(target, stream) },
  })
  return {
    [`get${name}Delivery`]: about,
    [`list${name}Attempts`]: about,
    [`replay${name}Delivery`]: about,
    [`replay${name}Deliveries`]: async (target) => ({
      actor: programOf(target),
      body: { job_ids: [await deliveryOf(target, stream)] },
    }),
    [`test${name}`]: async (target) => ({ actor: programOf(target) }),
  }
}

const ofMember = async (target: Target) => ({
  actor: memberOf(target),
  path: { stream: 'callback', id: await deliveryOf(target, 'callback') },
})

export const DELIVERIES: Recipes = {
  ...recipesOf('callback'),
  ...recipesOf('balance'),
  ...recipesOf('catalog'),
  ...recipesOf('order'),
  portalGetDelivery: ofMember,
  portalReplayDelivery: ofMember,
  portalReplayDeliveries: async (target) => ({
    actor: memberOf(target),
    path: { stream: 'callback' },
    body: { delivery_ids: [await deliveryOf(target, 'callback')] },
  }),
  portalRotateEndpointSecret: async (target) => ({ actor: memberOf(target), path: { stream: 'order' } }),
  portalTestEndpoint: async (target) => ({ actor: memberOf(target), path: { stream: 'order' } }),
}
