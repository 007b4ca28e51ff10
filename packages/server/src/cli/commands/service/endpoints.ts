import type { Endpoint } from '../../../modules/events/endpoints/endpoints.types.ts'
import { switchReceiver } from '../../../modules/events/endpoints/operators.acts.ts'
import { withoutQuery } from '../../../modules/events/endpoints/operators.codec.ts'
import type { ReceiverReport } from '../../../modules/events/endpoints/operators.service.ts'
import {
  getReceiver,
  listEndpoints,
  readStream,
} from '../../../modules/events/endpoints/operators.service.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { openReseller, readLimit } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

export const STREAM_OPTION: Option = { value: 'STREAM', help: 'callback, balance or catalog', required: true }

const WHICH = { reseller: RESELLER_OPTION, stream: STREAM_OPTION }

export const endpointCommands: readonly Command[] = [
  {
    name: 'endpoint list',
    summary: "list resellers' receivers of callbacks and webhooks, longest failing first",
    options: {
      reseller: { value: 'ACCOUNT', help: 'those of one reseller', names: 'reseller' },
      stream: { value: 'STREAM', help: 'those of one stream: callback, balance or catalog' },
      state: { value: 'STATE', help: 'only those that are failing, paused or disabled' },
      limit: { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' },
    },
    run: list,
  },
  {
    name: 'endpoint show',
    summary: 'show one receiver and its state; its secret is never shown',
    options: WHICH,
    run: show,
  },
  actCommand({
    name: 'endpoint pause',
    summary: 'send nothing to a webhook until it is resumed',
    details: `Events meanwhile are logged as failed and can be replayed. Its owner can resume it too: by a new URL, a new
secret, by switching it on, or by a test event that arrives. Transaction callbacks are never paused.`,
    act: switchReceiver.pause,
    world: () => undefined,
    show: showReport,
  }),
  actCommand({
    name: 'endpoint resume',
    summary: 'send again to a webhook that was paused',
    act: switchReceiver.resume,
    world: () => undefined,
    show: showReport,
  }),
]

async function list(call: Call): Promise<Output> {
  const limit = readLimit(call, 100)
  const { database } = await call.runtime()
  const resellerId = call.has('reseller') ? (await openReseller(call)).reseller.id : null
  const endpoints = await listEndpoints(database, {
    resellerId,
    stream: call.find('stream'),
    state: call.find('state'),
    limit,
  })
  const views = endpoints.map(({ account, endpoint }) => briefView(account, endpoint))
  return { json: { endpoints: views }, text: formatTable(views, 'There are no such endpoints.') }
}

async function show(call: Call): Promise<Output> {
  const stream = readStream(call.text('stream'))
  const { database } = await call.runtime()
  return showReport(await getReceiver(database, call.text('reseller'), stream))
}

function showReport({ account, endpoint, status }: ReceiverReport): Output {
  const view = {
    ...briefView(account, endpoint),
    types: endpoint.types,
    secret_last_four: endpoint.secretLastFour,
    secret_created_at: endpoint.secretCreatedAt.toISOString(),
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
    pending: status.pending,
  }
  return { json: view, text: formatFields(view) }
}

function briefView(account: string, endpoint: Endpoint) {
  return {
    account,
    stream: endpoint.stream,
    method: endpoint.method,
    url: withoutQuery(endpoint.url),
    enabled: endpoint.isEnabled,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    paused_at: endpoint.pausedAt?.toISOString() ?? null,
    last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
  }
}
