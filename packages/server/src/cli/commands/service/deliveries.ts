import { NO_MASKS } from '../../../lib/secrets/masks.ts'
import { listDeliveryQueues, readStream } from '../../../modules/events/endpoints/operators.service.ts'
import { LOG_RULES, PAGE_SIZE_DEFAULT, readLogParameters } from '../../../modules/events/log/log.rules.ts'
import type { LoggedDelivery } from '../../../modules/events/log/log.service.ts'
import { createDeliveryLog } from '../../../modules/events/log/log.service.ts'
import { attemptsView, deliveryView } from '../../../modules/events/log/log.view.ts'
import { replayDelivery } from '../../../modules/events/log/replay.acts.ts'
import { replayView } from '../../../modules/events/log/replay.codec.ts'
import { createEventReader } from '../../../modules/events/messages/reader.service.ts'
import type { Call, Command, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { openReseller, readLimit, readOption, refuseOrder } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'
import { STREAM_OPTION } from './endpoints.ts'

const LOG = { reseller: RESELLER_OPTION, stream: STREAM_OPTION }
const ONE = { ...LOG, id: { value: 'ID', help: 'as delivery list shows it', required: true } } as const

export const deliveryCommands: readonly Command[] = [
  {
    name: 'delivery list',
    isLong: true,
    summary: 'list deliveries to a reseller, newest first',
    options: {
      ...LOG,
      status: { value: 'STATUS', help: 'all (finished ones, the default), success, failed or pending' },
      from: { value: 'TIME', help: 'a day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive' },
      to: { value: 'TIME', help: 'the same' },
      event: { value: 'ID', help: 'the id of an event; if no delivery has it, the beginning of an id' },
      limit: { value: 'NUMBER', help: 'at most this many, 1 to 100 (default 50)' },
      cursor: { value: 'TEXT', help: 'the cursor of the page before' },
    },
    run: list,
  },
  {
    name: 'delivery show',
    summary: 'show a delivery and its attempts, without the bodies',
    options: ONE,
    run: show,
  },
  actCommand({
    name: 'delivery replay',
    summary: 'send a failed delivery again; it counts towards the three per event',
    act: replayDelivery,
    world: () => undefined,
    show(replayed) {
      const view = replayView(replayed)
      return { json: view, text: formatFields(view) }
    },
  }),
  {
    name: 'delivery queue',
    isLong: true,
    summary: 'show the waiting deliveries of each receiver, oldest first',
    options: { limit: { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' } },
    run: queue,
  },
]

async function openLog(call: Call) {
  const stream = readStream(call.text('stream'))
  const { reseller } = await openReseller(call)
  const { database, vault } = await call.runtime()
  const reader = createEventReader({ database, vault })
  // Problems with unreadable contents are ignored, because these commands leave the contents out.
  const log = createDeliveryLog({ database, vault, reader, onProblem: () => {} })
  return { database, log, stream, resellerId: reseller.id }
}

async function list(call: Call): Promise<Output> {
  const limit = readLimit(call, PAGE_SIZE_DEFAULT, LOG_RULES.limit)
  const [from, to] = [readTime(call, 'from'), readTime(call, 'to')]
  if (from !== null && to !== null) refuseOrder(from.firstMs, to.lastMs)
  const filter = readLogParameters({
    status: call.find('status') ?? '',
    from: call.find('from') ?? '',
    to: call.find('to') ?? '',
    search: call.find('event') ?? '',
    limit: String(limit),
    cursor: call.find('cursor') ?? '',
  })
  const { log, stream, resellerId } = await openLog(call)
  const { deliveries, cursor } = await log.list(resellerId, stream, filter)
  const views = deliveries.map(withoutContents)
  return { json: { deliveries: views, cursor }, text: formatTable(views, 'There are no such deliveries.') }
}

function readTime(call: Call, option: 'from' | 'to') {
  return readOption(option, LOG_RULES[option], call.find(option) ?? '')
}

async function show(call: Call): Promise<Output> {
  const { log, stream, resellerId } = await openLog(call)
  const id = call.text('id')
  const view = withoutContents(await log.get(resellerId, stream, id))
  const { attempts } = attemptsView(await log.getAttempts(resellerId, stream, id))
  const text = `${formatFields(view)}\n\n${formatTable(attempts, 'There was no attempt yet.')}`
  return { json: { ...view, attempts }, text }
}

async function queue(call: Call): Promise<Output> {
  const limit = readLimit(call, 100)
  const { database } = await call.runtime()
  const queues = await listDeliveryQueues(database, limit)
  const views = queues.map(({ account, stream, pending, oldestAt, nextAt, isHeld }) => ({
    account,
    stream,
    pending,
    oldest_at: oldestAt.toISOString(),
    next_attempt_at: nextAt.toISOString(),
    being_sent: isHeld,
  }))
  return { json: { queues: views }, text: formatTable(views, 'Nothing waits.') }
}

/** Leaves the contents out: PINs and links are in what is sent, and in the receivers' answers. */
function withoutContents(logged: LoggedDelivery) {
  const { payload, webhookPayload, responseBody, responseCode, webhookUrl, ...view } = deliveryView(
    logged,
    NO_MASKS,
  )
  return { ...view, webhookUrl: webhookUrl.replace(/\?.*$/s, '?…') }
}
