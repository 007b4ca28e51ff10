import { randomUUID } from 'node:crypto'
import type { Client, TestCallbackRequest } from '@warung/sdk'
import type { Command, Context } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { UsageError } from '../io.ts'

type Scenario = { readonly text: string; readonly account: string; readonly isVoided?: boolean }

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
  words: [...Object.keys(SCENARIOS), 'sample', 'clock'],
  details: [
    'Scenarios are payments of RM 10 to test accounts. They make real events, in the feed and for your receivers:',
    ...Object.entries(SCENARIOS).map(([name, { text }]) => `  ${name.padEnd(20)}  ${text}`),
    '',
    'sample sends a sample event of a stream (callback, balance, catalog, order) to the address that is configured for it.',
    'clock brings everything outstanding of your account nearer by so many seconds.',
  ],
  async run(context) {
    const [action, first, second] = context.positionals
    if (action === undefined) throw new UsageError('trigger needs a scenario. See: warung help trigger')
    const { client, environment } = await context.connect()
    if (environment !== 'staging') throw new UsageError('trigger works in staging alone.')
    if (action === 'sample') return sample(context, client, first, second)
    if (action === 'clock') return clock(context, client, first)
    const scenario = Object.hasOwn(SCENARIOS, action) ? SCENARIOS[action] : undefined
    if (scenario === undefined)
      throw new UsageError(`There is no scenario ${action}. See: warung help trigger`)
    return play(context, client, scenario)
  },
}

async function sample({ print }: Context, client: Client, stream = '', type?: string): Promise<number> {
  if (!Object.hasOwn(SAMPLES, stream))
    throw new UsageError('sample needs a stream: callback, balance, catalog or order.')
  const sent = await SAMPLES[stream as keyof typeof SAMPLES](client, type as Sample | undefined)
  print.one(sent, { delivery: sent.jobId, event: sent.eventId })
  return EXIT.ok
}

async function clock({ print }: Context, client: Client, seconds = ''): Promise<number> {
  if (!/^\d+$/.test(seconds)) throw new UsageError('clock needs a number of seconds.')
  const { data } = await client.advanceTestClock({ advance_seconds: Number(seconds) })
  print.one(data, { advanced_seconds: data.advanced_seconds })
  return EXIT.ok
}

async function play({ print }: Context, client: Client, { account, isVoided }: Scenario): Promise<number> {
  const payment = { refid: `trigger-${randomUUID()}`, product: 'NOVA', account, amount: 10 }
  if (isVoided === true) {
    await client.payAndWait(payment, { pollScheduleMs: [1_000] })
    await client.voidTransaction({ refid: payment.refid, refund_type: 1 })
  }
  const paid = await client.pay(payment)
  const { refid, status, statusCode, transaction_id: transaction } = paid
  print.one(paid, { refid, status: `${status} ${statusCode}`, transaction })
  return EXIT.ok
}
