import type { Client } from '@warung/sdk'
import type { Command, Context } from '../command.ts'
import { text } from '../command.ts'
import type { Delivery, ListenSettings, Stream } from '../deliveries.ts'
import { deliveryOf, STREAMS } from '../deliveries.ts'
import { EXIT } from '../exit-codes.ts'
import type { Answered } from '../forwarding.ts'
import { secretFor, send, targetOf } from '../forwarding.ts'
import { UsageError } from '../io.ts'
import { numberOf } from '../lists.ts'
import { newestSequence } from './events.ts'

export const listen: Command = {
  name: 'listen',
  summary: 'Bring callbacks and webhooks to a receiver on this machine',
  options: {
    'forward-to': { type: 'string', value: 'URL', text: 'your receiver, such as http://localhost:8080/hook' },
    method: { type: 'string', value: 'METHOD', text: 'of callbacks: POST (usual) or GET' },
    streams: { type: 'string', value: 'LIST', text: `${STREAMS.join(',')} (all)` },
    'balance-types': { type: 'string', value: 'LIST', text: 'types of the balance webhook (balance.added)' },
    secret: {
      type: 'string',
      value: 'whsec_…',
      text: 'secret that signs (one that is kept for these credentials, printed at the start)',
    },
    after: { type: 'string', value: 'N', text: 'begin after this event (with the next new one)' },
    count: { type: 'string', value: 'N', text: 'end after so many deliveries' },
  },
  details: [
    'Reads the event feed and sends each event as the service would: same body, same headers, signed in the same way.',
    'The service itself never reaches your machine. Set the printed secret in your receiver.',
  ],
  async run(context) {
    const { values, io } = context
    const target = targetOf(values)
    if (target === undefined) throw new UsageError('listen needs --forward-to URL.')
    const settings = settingsOf(context)
    const connection = await context.connect()
    const given = text(values, 'secret')
    const secret = await secretFor(context, connection)
    const after = numberOf(values, 'after') ?? (await newestSequence(connection.client))
    // A secret that was given may be that of production, and stays off the screen.
    io.note(`forwarding to ${target}\nsecret ${given === undefined ? secret : 'as given'}\nCtrl-C ends\n`)
    await forward(context, connection.client, after, settings, (delivery) => send(target, delivery, secret))
    return EXIT.ok
  },
}

function settingsOf({ values }: Context): ListenSettings {
  const listOf = (name: string, usual: string) => (text(values, name) ?? usual).split(',')
  const method = (text(values, 'method') ?? 'POST').toUpperCase()
  if (method !== 'POST' && method !== 'GET') throw new UsageError('--method is POST or GET.')
  const streams = listOf('streams', STREAMS.join(','))
  const unknown = streams.find((each) => !STREAMS.some((stream) => stream === each))
  if (unknown !== undefined) {
    throw new UsageError(`There is no stream ${unknown}. --streams takes ${STREAMS.join(', ')}.`)
  }
  return {
    method,
    streams: streams as Stream[],
    balanceTypes: listOf('balance-types', 'balance.added'),
  }
}

async function forward(
  { io, print, values }: Context,
  client: Client,
  after: number,
  settings: ListenSettings,
  deliver: (delivery: Delivery) => Promise<Answered>,
): Promise<void> {
  const most = numberOf(values, 'count') ?? Number.POSITIVE_INFINITY
  const end = new AbortController()
  io.signal.addEventListener('abort', () => end.abort())
  let sent = 0
  await client.followEvents({
    store: { load: () => after, save: () => {} },
    async handle(event) {
      const delivery = deliveryOf(event, settings)
      if (delivery === undefined) return
      const answered = await deliver(delivery)
      const result = answered.status ?? answered.error ?? 'no answer'
      const { id, type, sequence } = event
      print.item(
        { sequence, id, type, stream: delivery.stream, ...answered },
        `${sequence}  ${type}  ${delivery.stream}  →  ${result}  ${answered.durationMs} ms`,
      )
      sent += 1
      if (sent >= most) end.abort()
    },
    signal: end.signal,
    pauseMs: 1_000,
  })
}
