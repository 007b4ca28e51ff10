import { randomUUID } from 'node:crypto'
import type { Client, NewOrder, Order } from '@warung/sdk'
import { UnknownOutcome } from '@warung/sdk'
import type { Command, Context } from '../command.ts'
import { flag, text, texts } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { UsageError } from '../io.ts'
import { limitOf, numberOf, takeUpTo } from '../lists.ts'
import { askBeforeSpending } from './pay.ts'
import { contentOf } from './reads.ts'

const ACTIONS = { list, show, create, confirm, cancel } as const
const RETURN_URL = 'https://example.com/return'

export const orders: Command = {
  name: 'orders',
  summary: 'Make orders of the checkout, and confirm, cancel or show them',
  args: 'list | show ORDER | create | confirm ORDER PAYMENT_REFERENCE | cancel ORDER',
  words: Object.keys(ACTIONS),
  options: {
    status: { type: 'string', value: 'STATUS', text: 'list: orders in this state' },
    reference: {
      type: 'string',
      value: 'TEXT',
      text: 'your reference; create: the same one is one order (a new one)',
    },
    user: { type: 'string', value: 'TEXT', text: 'your id of the customer (create: cli)' },
    from: { type: 'string', value: 'DAY', text: 'list: made on this day or later, GMT+8' },
    to: { type: 'string', value: 'DAY', text: 'list: made on this day or before, GMT+8' },
    limit: { type: 'string', value: 'N', text: 'list: at most so many (50)' },
    product: {
      type: 'string',
      multiple: true,
      value: 'CODE',
      text: 'create: may be chosen, may be repeated (all)',
    },
    items: { type: 'string', value: 'JSON', text: 'create: fixed basket; @FILE reads a file, - reads stdin' },
    'return-url': {
      type: 'string',
      value: 'URL',
      text: `create: where the customer goes on (${RETURN_URL})`,
    },
    expires: { type: 'string', value: 'SECONDS', text: 'create: time until payment (1800)' },
    language: { type: 'string', value: 'en|ms|id|zh|ta', text: 'create: language of the page' },
    'show-results': { type: 'boolean', text: 'create: the page shows PINs and voucher links' },
    total: { type: 'string', value: 'AMOUNT', text: 'confirm: money that you got; another total is refused' },
    reason: { type: 'string', value: 'TEXT', text: 'cancel: why' },
    yes: { type: 'boolean', short: 'y', text: 'confirm: do not ask before paying outside staging' },
  },
  details: [
    'An order is confirmed once: the same PAYMENT_REFERENCE again shows the order as it is.',
    'After an interruption, run the same again: create with the same --reference, confirm with the same PAYMENT_REFERENCE.',
  ],
  async run(context) {
    const [action = ''] = context.positionals
    if (!Object.hasOwn(ACTIONS, action)) {
      throw new UsageError(`orders knows ${Object.keys(ACTIONS).join(', ')}.`)
    }
    return ACTIONS[action as keyof typeof ACTIONS](context)
  },
}

function orderIdOf({ positionals: [action, id] }: Context): string {
  if (id === undefined) throw new UsageError(`orders ${action} needs the id of an order.`)
  return id
}

async function list({ connect, io, print, values }: Context): Promise<number> {
  const { client } = await connect()
  const limit = limitOf(values, 50)
  const all = client.orders({
    status: text(values, 'status') as Order['status'] | undefined,
    reference: text(values, 'reference'),
    user_id: text(values, 'user'),
    from: text(values, 'from'),
    to: text(values, 'to'),
    limit: Math.min(limit, 100),
  })
  print.list(await takeUpTo(io, all, limit), (order) => ({
    created: order.created_at,
    order: order.order_id,
    reference: order.reference,
    user: order.user_id,
    status: order.status,
    total: order.total_amount,
    refund: order.refund_amount,
  }))
  return EXIT.ok
}

async function show(context: Context): Promise<number> {
  const id = orderIdOf(context)
  const { client } = await context.connect()
  return shown(context, (await client.getOrder({ order_id: id })).data)
}

async function create(context: Context): Promise<number> {
  const { io, values } = context
  const reference = text(values, 'reference') ?? `cli-${randomUUID()}`
  const items = text(values, 'items')
  const products = texts(values, 'product')
  if (items !== undefined && products.length > 0) throw new UsageError('Give --items or --product, not both.')
  const basket = items === undefined ? undefined : itemsIn(await contentOf(io, items))
  const expires = numberOf(values, 'expires')
  const language = text(values, 'language')
  const { client } = await context.connect()
  const order: NewOrder = {
    reference,
    user_id: text(values, 'user') ?? 'cli',
    return_url: text(values, 'return-url') ?? RETURN_URL,
    ...(basket !== undefined && { items: basket }),
    ...(products.length > 0 && { products }),
    ...(expires !== undefined && { expires_in_seconds: expires }),
    ...(language !== undefined && { language: language as 'en' }),
    ...(flag(values, 'show-results') && { show_results: true }),
  }
  return remembering(context, `--reference ${reference}`, async () =>
    shown(context, (await client.createOrder(order)).data),
  )
}

function itemsIn(json: string): NonNullable<NewOrder['items']> {
  try {
    const items = JSON.parse(json) as unknown
    if (Array.isArray(items)) return items
  } catch {
    // Told below.
  }
  throw new UsageError('--items is a JSON list of { product_code, amount, account, quantity }.')
}

async function confirm(context: Context): Promise<number> {
  const id = orderIdOf(context)
  const [, , reference] = context.positionals
  if (reference === undefined) throw new UsageError('orders confirm needs the reference of the payment.')
  const total = text(context.values, 'total')
  const { client, environment } = await context.connect()
  if (environment !== 'staging') await askBeforeSpending(context, environment)
  return remembering(context, `payment reference ${reference}`, () =>
    confirmed(context, client, {
      order_id: id,
      payment_reference: reference,
      ...(total !== undefined && { total_amount: total }),
    }),
  )
}

async function confirmed(
  context: Context,
  client: Client,
  given: Parameters<Client['confirmOrder']>[0],
): Promise<number> {
  return shown(context, (await client.confirmOrder(given)).data)
}

async function cancel(context: Context): Promise<number> {
  const id = orderIdOf(context)
  const reason = text(context.values, 'reason')
  const { client } = await context.connect()
  const { data } = await client.cancelOrder({ order_id: id, ...(reason !== undefined && { reason }) })
  return shown(context, data)
}

/** Tells how to ask again when nobody knows whether it was done. */
async function remembering({ io }: Context, what: string, act: () => Promise<number>): Promise<number> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof UnknownOutcome) io.note(`run the same again with the same ${what}\n`)
    throw error
  }
}

function shown({ print }: Context, order: Order): number {
  const members = {
    order: order.order_id,
    reference: order.reference,
    status: order.status,
    total: order.total_amount,
    refund: order.refund_amount,
    payment_reference: order.payment_reference,
    expires: order.expires_at,
    checkout: order.checkout_url,
  }
  const lines = order.items.flatMap(({ line, product_code: code, account, quantity, price, status }) => [
    [`item ${line}`, [code, account, `× ${quantity}`, price, status].filter(Boolean).join('  ')] as const,
  ])
  const filled = Object.entries(members).filter(([, value]) => value !== null && value !== '')
  print.one(order, { ...Object.fromEntries(filled), ...Object.fromEntries(lines) })
  return EXIT.ok
}
