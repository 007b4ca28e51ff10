import { Type } from 'typebox'
import { columns, input, member, resource } from '../../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../../http/schemas.ts'
import { oneOf } from '../../../lib/input/fields.ts'
import { uuidRule } from '../../../lib/input/ids.ts'
import { OF_RESELLER } from '../../accounts/resellers.codec.ts'
import { STREAMS } from '../types.ts'
import type { OperatedEndpoint, OperatedQueue, ReceiverReport } from './operators.service.ts'

// Receivers and their queues, as operators name and see them.

const RECEIVER = {
  account: OF_RESELLER,
  stream: member(oneOf(STREAMS), { option: { help: 'callback, balance or catalog' } }),
}

export const RECEIVER_KEY = input(RECEIVER)

export const DELIVERY_KEY = input({
  ...RECEIVER,
  id: member(uuidRule('must be the id of a delivery'), {
    identifies: 'delivery',
    option: { help: 'as delivery list shows it' },
  }),
})

export const DELIVERY_QUEUE = resource<OperatedQueue>()('Delivery queue', {
  reseller: [Type.String(), ({ account }) => account],
  stream: [enumOf(STREAMS), ({ stream }) => stream],
  pending: [Type.Number(), ({ pending }) => pending],
  oldest_at: [Instant, ({ oldestAt }) => oldestAt.toISOString()],
  next_at: [Instant, ({ nextAt }) => nextAt.toISOString()],
  is_held: [Type.Boolean({ description: 'A node is delivering just now' }), ({ isHeld }) => isHeld],
})

const SUMMARY = columns<OperatedEndpoint>()({
  reseller: [Type.String(), ({ account }) => account],
  stream: [enumOf(STREAMS), ({ endpoint }) => endpoint.stream],
  url: [Type.String({ description: 'Without its query' }), ({ endpoint }) => withoutQuery(endpoint.url)],
  method: [Type.String(), ({ endpoint }) => endpoint.method],
  is_enabled: [Type.Boolean({ description: "The owner's word" }), ({ endpoint }) => endpoint.isEnabled],
  types: [Type.Array(Type.String()), ({ endpoint }) => [...endpoint.types]],
  failing_since: [orNull(Instant), ({ endpoint }) => endpoint.failingSince?.toISOString() ?? null],
  paused_at: [
    orNull(Instant, 'Nothing is sent, whatever the owner’s word'),
    ({ endpoint }) => endpoint.pausedAt?.toISOString() ?? null,
  ],
  last_success_at: [orNull(Instant), ({ endpoint }) => endpoint.lastSuccessAt?.toISOString() ?? null],
  created_at: [Instant, ({ endpoint }) => endpoint.createdAt.toISOString()],
  updated_at: [Instant, ({ endpoint }) => endpoint.updatedAt.toISOString()],
})

export const OPERATED_ENDPOINT = resource<OperatedEndpoint>()('Receiver', SUMMARY)

export const RECEIVER_DETAILS = resource<ReceiverReport>()('Receiver details', {
  ...SUMMARY,
  pending: [
    Type.Number({ description: 'On their way or waiting; counted up to a bound' }),
    ({ status }) => status.pending,
  ],
})

/** Removes the query: some receivers keep a secret in it. */
export function withoutQuery(url: string): string {
  const [place = ''] = url.split('?')
  return place === url ? url : `${place}?…`
}
