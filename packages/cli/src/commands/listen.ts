import { randomBytes } from 'node:crypto'
import type { Client } from '@warung/sdk'
import { signWebhook } from '@warung/sdk'
import type { Command, Connection, Context } from '../command.ts'
import { text } from '../command.ts'
import type { Delivery, ListenSettings, Stream } from '../deliveries.ts'
import { deliveryOf, STREAMS } from '../deliveries.ts'
import { EXIT } from '../exit-codes.ts'
import { UsageError } from '../io.ts'
import { numberOf } from '../lists.ts'
import { loadProfiles, saveProfiles } from '../profiles.ts'
import { newestSequence } from './events.ts'

const ANSWER_TIMEOUT_MS = 30_000

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
      text: 'secret that signs (one of this profile, printed at the start)',
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
    const target = text(values, 'forward-to')
    if (target === undefined || !URL.canParse(target)) throw new UsageError('listen needs --forward-to URL.')
    const settings = settingsOf(context)
    const connection = await context.connect()
    const given = text(values, 'secret')
    const secret = given ?? (await profileSecret(context, connection))
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

type Answered = { readonly status: number | null; readonly durationMs: number; readonly error?: string }

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

/** Sends a delivery as the service does: redirects are not followed, and 30 seconds are the limit. */
async function send(target: string, delivery: Delivery, secret: string): Promise<Answered> {
  const { id, method, payload, stream } = delivery
  const url = new URL(target)
  const own = url.search.slice(1)
  const query = method === 'GET' ? [own, payload].filter((part) => part !== '').join('&') : own
  const signed = await signWebhook({
    id,
    timestamp: Math.floor(Date.now() / 1_000),
    payload: method === 'GET' ? query : payload,
    secrets: [secret],
    hasBodySignature: stream !== 'callback',
  })
  const startedAt = Date.now()
  try {
    const answer = await fetch(`${url.origin}${url.pathname}${query === '' ? '' : `?${query}`}`, {
      method,
      headers: { ...signed, ...(method === 'POST' && { 'Content-Type': 'application/json' }) },
      ...(method === 'POST' && { body: payload }),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    await answer.arrayBuffer()
    return { status: answer.status, durationMs: Date.now() - startedAt }
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause?.code
    return { status: null, durationMs: Date.now() - startedAt, error: cause ?? (error as Error).name }
  }
}

/** Returns the secret of the profile, made at first use. Credentials of the environment have a new one each time. */
async function profileSecret({ io }: Context, { profile, profileName }: Connection): Promise<string> {
  if (profile.listen_secret !== undefined) return profile.listen_secret
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  if (profileName === undefined) return secret
  const stored = await loadProfiles(io.env)
  const kept = { ...profile, listen_secret: secret }
  await saveProfiles(io.env, { ...stored, profiles: { ...stored.profiles, [profileName]: kept } })
  return secret
}
