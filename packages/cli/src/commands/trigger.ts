import { randomUUID } from 'node:crypto'
import type { Client, PaymentRequest, TestCallbackRequest } from '@warung/sdk'
import { buildPayment, InvalidPayment, InvalidRequest } from '@warung/sdk'
import type { Command, Connection, Context } from '../command.ts'
import type { Stream } from '../deliveries.ts'
import { STREAMS } from '../deliveries.ts'
import { EXIT } from '../exit-codes.ts'
import { SAMPLE_PREFIX, secretFor, send, targetOf } from '../forwarding.ts'
import { UsageError } from '../io.ts'
import { SAMPLE_PAYLOADS } from '../samples.generated.ts'

type Scenario = { readonly text: string; readonly account: string; readonly isVoided?: boolean }

/** Ringgit of a scenario's payment. */
const AMOUNT = 10

/** Scenarios by name: payments to staging's test accounts, which make real events. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'payment.succeeded': { text: 'a payment that succeeds at once', account: '60123456789' },
  'payment.failed': { text: 'a payment that fails with 48', account: '60123450048' },
  'payment.processing': {
    text: 'a payment that is Processing for 10 minutes (trigger clock 600 ends it)',
    account: '60123451600',
  },
  'payment.unknown': { text: 'a payment whose end is never known', account: '60123453003' },
  'payment.voided': {
    text: 'a payment that succeeds, and whose void is approved',
    account: '60123454001',
    isVoided: true,
  },
  'payment.void-refused': {
    text: 'a payment that succeeds, and whose void is refused',
    account: '60123454002',
    isVoided: true,
  },
}

const SAMPLES = {
  callback: (client: Client, type?: Sample) => client.testCallback({ ...(type && { type }) }),
  balance: (client: Client, type?: Sample) => client.testBalanceWebhook({ ...(type && { type }) }),
  catalog: (client: Client, type?: Sample) => client.testCatalogWebhook({ ...(type && { type }) }),
  order: (client: Client, type?: Sample) => client.testOrderWebhook({ ...(type && { type }) }),
} as const

type Sample = NonNullable<TestCallbackRequest['type']>

export const trigger: Command = {
  name: 'trigger',
  summary: 'Make something happen in staging',
  args: 'SCENARIO | sample STREAM [TYPE] | clock SECONDS',
  options: {
    'forward-to': { type: 'string', value: 'URL', text: 'with sample: your receiver on this machine' },
    secret: {
      type: 'string',
      value: 'whsec_…',
      text: 'with --forward-to: secret that signs (that of listen)',
    },
  },
  words: [...Object.keys(SCENARIOS), 'sample', 'clock'],
  details: [
    `Scenarios are payments of RM ${AMOUNT} to test accounts. They make real events, in the feed and for your receivers:`,
    ...Object.entries(SCENARIOS).map(([name, { text }]) => `  ${name.padEnd(20)}  ${text}`),
    '',
    'sample sends a sample event of a stream (callback, balance, catalog, order) to the address that is configured for it;',
    'with --forward-to it goes to your receiver on this machine, signed as by listen. So a change of the catalogue, which',
    'only the operator can make, can be tried: trigger sample catalog --forward-to http://localhost:8080/hook',
    'clock brings everything outstanding of your account nearer by so many seconds.',
  ],
  async run(context) {
    const [action, first, second] = context.positionals
    if (action === undefined) throw new UsageError('trigger needs a scenario. See: warung help trigger')
    const target = targetOf(context.values)
    if (target !== undefined && action !== 'sample') throw new UsageError('--forward-to belongs to sample.')
    const connection = await context.connect()
    const { client, environment } = connection
    if (environment !== 'staging') throw new UsageError('trigger works in staging alone.')
    if (action === 'sample' && target !== undefined) return forwardSample(context, connection, target, first)
    if (action === 'sample') return sample(context, client, first, second)
    if (action === 'clock') return clock(context, client, first)
    const scenario = Object.hasOwn(SCENARIOS, action) ? SCENARIOS[action] : undefined
    if (scenario === undefined)
      throw new UsageError(`There is no scenario ${action}. See: warung help trigger`)
    return play(context, client, scenario)
  },
}

function streamIn(stream: string): Stream {
  const found = STREAMS.find((each) => each === stream)
  if (found === undefined) throw new UsageError('sample needs a stream: callback, balance, catalog or order.')
  return found
}

/** Sends the document's example as a sample. Its receiver is on this machine, where the service does not reach it. */
async function forwardSample(
  context: Context,
  connection: Connection,
  target: string,
  given = '',
): Promise<number> {
  const stream = streamIn(given)
  const id = `${SAMPLE_PREFIX}${randomUUID()}`
  const payload = JSON.stringify(SAMPLE_PAYLOADS[stream])
  const secret = await secretFor(context, connection)
  const answered = await send(target, { stream, id, method: 'POST', payload }, secret)
  context.print.one({ stream, id, ...answered }, { stream, id, answer: answered.status ?? answered.error })
  return answered.status !== null && answered.status < 300 ? EXIT.ok : EXIT.refused
}

async function sample({ print }: Context, client: Client, stream = '', type?: string): Promise<number> {
  const sent = await SAMPLES[streamIn(stream)](client, type as Sample | undefined)
  print.one(sent, { delivery: sent.jobId, event: sent.eventId })
  return EXIT.ok
}

async function clock({ print }: Context, client: Client, seconds = ''): Promise<number> {
  if (!/^\d+$/.test(seconds)) throw new UsageError('clock needs a number of seconds.')
  const { data } = await client.advanceTestClock({ advance_seconds: Number(seconds) })
  print.one(data, { advanced_seconds: data.advanced_seconds })
  return EXIT.ok
}

/** Refuses before money is taken: a void of a payment that does not exist is refused, and differently without the scope. */
async function requireSupport(client: Client, refid: string): Promise<void> {
  try {
    await client.voidTransaction({ refid, refund_type: 1 })
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
  }
}

/** Finds a payment of RM 10 that can be voided: its product needs nothing but an account and an amount. */
async function voidablePayment(client: Client, refid: string, account: string): Promise<PaymentRequest> {
  const { products } = await client.getCatalog({ is_active: true })
  for (const product of Object.values(products)) {
    if (!product.is_refundable || !product.is_active) continue
    const { account: toAccount, amount: toAmount } = product.fulfillment
    const accountField = toAccount?.from_field ?? undefined
    const values = {
      ...(accountField !== undefined && { [accountField]: account }),
      [toAmount.from_field]: AMOUNT,
    }
    try {
      return buildPayment(product, values, { refid, account, allowTestAccounts: true })
    } catch (error) {
      if (!(error instanceof InvalidPayment)) throw error
    }
  }
  throw new UsageError(
    `The catalogue has no product whose payments of RM ${AMOUNT} can be voided. Nothing was paid.`,
  )
}

async function play({ print }: Context, client: Client, { account, isVoided }: Scenario): Promise<number> {
  const refid = `trigger-${randomUUID()}`
  if (isVoided === true) await requireSupport(client, refid)
  const payment =
    isVoided === true
      ? await voidablePayment(client, refid, account)
      : { refid, product: 'NOVA', account, amount: AMOUNT }
  if (isVoided === true) {
    await client.payAndWait(payment, { pollScheduleMs: [1_000] })
    await client.voidTransaction({ refid, refund_type: 1 })
  }
  const paid = await client.pay(payment)
  const { status, statusCode, transaction_id: transaction } = paid
  print.one(paid, { refid, status: `${status} ${statusCode}`, transaction })
  return EXIT.ok
}
