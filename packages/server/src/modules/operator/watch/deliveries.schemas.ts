import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { STREAMS } from '../../events/types.ts'
import { Account, bodyOf, dataOf, Instant, listOf, Reason } from '../console/schemas.ts'
import { LIST_RULES } from './deliveries.service.ts'

const limit = parameter(LIST_RULES.limit, 'Items of the list')

export const Queue = Type.Object(
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
  account: parameter(LIST_RULES.account, "The reseller's account number"),
  stream: parameter(LIST_RULES.stream, 'Receivers of this stream alone'),
  state: parameter(LIST_RULES.state, 'Receivers in this state alone'),
  limit,
})
export const EndpointListResponse = listOf(Type.Object(endpoint, { title: 'Receiver' }))
export const EndpointParameters = Type.Object({
  account: Account,
  stream: documentedAs({ schema: { type: 'string', enum: STREAMS } }, Type.String()),
})
export const EndpointResponse = dataOf(
  Type.Object(
    { ...endpoint, pending: Type.Number({ description: 'On their way or waiting; counted up to a bound' }) },
    { title: 'Receiver details' },
  ),
)
export const SwitchBody = bodyOf('Reason request', { reason: Reason })
