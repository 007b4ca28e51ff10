import type { Client } from '@warung/sdk'
import type { Command, Context } from '../command.ts'
import { text } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { UsageError } from '../io.ts'
import { limitOf, takeUpTo } from '../lists.ts'

const STREAMS = {
  callback: {
    list: (client: Client) => client.callbackDeliveries,
    replay: (client: Client) => client.replayCallbackDeliveries,
  },
  balance: {
    list: (client: Client) => client.balanceWebhookDeliveries,
    replay: (client: Client) => client.replayBalanceWebhookDeliveries,
  },
  catalog: {
    list: (client: Client) => client.catalogWebhookDeliveries,
    replay: (client: Client) => client.replayCatalogWebhookDeliveries,
  },
  order: {
    list: (client: Client) => client.orderWebhookDeliveries,
    replay: (client: Client) => client.replayOrderWebhookDeliveries,
  },
} as const

const STATUSES = ['all', 'success', 'failed', 'pending'] as const
const BULK_MAX = 50

export const webhooks: Command = {
  name: 'webhooks',
  summary: 'Show deliveries to your receivers, and replay failed ones',
  args: 'deliveries STREAM | replay STREAM JOB…',
  words: ['deliveries', 'replay', ...Object.keys(STREAMS)],
  options: {
    status: { type: 'string', value: 'STATUS', text: `${STATUSES.join(', ')} (all)` },
    search: { type: 'string', value: 'EVENT', text: 'id of an event' },
    limit: { type: 'string', value: 'N', text: 'at most so many (50)' },
  },
  details: [
    'STREAM is callback, balance, catalog or order. At most 50 jobs are replayed at once, and each event three times.',
  ],
  async run(context) {
    const [action, stream = '', ...jobs] = context.positionals
    if (!Object.hasOwn(STREAMS, stream))
      throw new UsageError('webhooks needs a stream: callback, balance, catalog or order.')
    if (action !== 'deliveries' && action !== 'replay')
      throw new UsageError('webhooks knows deliveries and replay.')
    if (action === 'replay' && (jobs.length < 1 || jobs.length > BULK_MAX)) {
      throw new UsageError(`replay needs 1 to ${BULK_MAX} job ids.`)
    }
    const { client } = await context.connect()
    const name = stream as keyof typeof STREAMS
    return action === 'deliveries' ? deliveries(context, client, name) : replay(context, client, name, jobs)
  },
}

async function deliveries({ io, print, values }: Context, client: Client, stream: keyof typeof STREAMS) {
  const status = text(values, 'status')
  if (status !== undefined && !STATUSES.some((each) => each === status)) {
    throw new UsageError(`--status is one of ${STATUSES.join(', ')}.`)
  }
  const list = STREAMS[stream].list(client)
  const all = list({ status: status as (typeof STATUSES)[number], search: text(values, 'search') })
  print.list(await takeUpTo(io, all, limitOf(values, 50)), (each) => ({
    job: each.id,
    event: each.eventId,
    status: each.status,
    answer: each.responseStatusCode || '',
    retries: `${each.retryCount}/${each.retryLimit}`,
    created: each.createdAt,
    url: each.webhookUrl,
    error: each.error,
  }))
  return EXIT.ok
}

async function replay(
  { print }: Context,
  client: Client,
  stream: keyof typeof STREAMS,
  jobs: readonly string[],
) {
  const { results } = await STREAMS[stream].replay(client)({ job_ids: [...jobs] })
  print.list(results, (each) => ({
    job: each.jobId,
    replayed: each.success ? 'yes' : 'no',
    new_job: each.newJobId,
    reason: (each as { message?: string }).message,
  }))
  return results.every(({ success }) => success) ? EXIT.ok : EXIT.refused
}
