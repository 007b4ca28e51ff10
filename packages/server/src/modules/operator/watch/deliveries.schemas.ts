import { Type } from 'typebox'
import { STREAMS } from '../../events/types.ts'
import { bodyOf, dataOf, enumOf, Instant, listOf, orNull, Reason } from '../console/schemas.ts'

const limit = Type.Optional(Type.String({ description: '1 to 1000, 100 when left out' }))

const Queue = Type.Object(
  {
    reseller: Type.String(),
    stream: enumOf(STREAMS),
    pending: Type.Number(),
    oldest_at: Instant,
    next_at: Instant,
    is_held: Type.Boolean({ description: 'A node is delivering just now' }),
  },
  { title: 'Delivery queue' },
)

const endpoint = {
  reseller: Type.String(),
  stream: enumOf(STREAMS),
  url: Type.String({ description: 'Without its query' }),
  method: Type.String(),
  is_enabled: Type.Boolean({ description: "The owner's word" }),
  types: Type.Array(Type.String()),
  failing_since: orNull(Instant),
  paused_at: orNull(Instant, 'Nothing is sent, whatever the owner’s word'),
  last_success_at: orNull(Instant),
  created_at: Instant,
  updated_at: Instant,
}

export const QueueListParameters = Type.Object({ limit })
export const QueueListResponse = listOf(Queue)
export const EndpointListParameters = Type.Object({
  account: Type.Optional(Type.String({ description: "The reseller's account number" })),
  stream: Type.Optional(Type.String({ description: STREAMS.join(', ') })),
  state: Type.Optional(Type.String({ description: 'failing, paused or disabled' })),
  limit,
})
export const EndpointListResponse = listOf(Type.Object(endpoint, { title: 'Receiver' }))
export const EndpointParameters = Type.Object({ account: Type.String(), stream: Type.String() })
export const EndpointResponse = dataOf(
  Type.Object(
    { ...endpoint, pending: Type.Number({ description: 'On their way or waiting; counted up to a bound' }) },
    { title: 'Receiver details' },
  ),
)
export const SwitchBody = bodyOf('Reason request', { reason: Reason })
