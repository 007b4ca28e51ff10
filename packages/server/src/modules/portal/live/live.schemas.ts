import { Type } from 'typebox'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { messageSchema, streamSchema } from '../../../http/streams/schemas.ts'
import { CASE_KINDS, CASE_STATES } from '../../cases/types.ts'
import { STREAMS } from '../../events/types.ts'
import { Instant, Money } from '../access/schemas.ts'
import { PaymentLine } from '../payments/search.schemas.ts'

export const PortalLiveStream = streamSchema([
  messageSchema('payment', PaymentLine, 'A payment was made or has changed; shown as it is now'),
  messageSchema(
    'payments',
    Type.Object({ changed: Type.Integer() }),
    'Too many payments changed to be told one by one: read the list again',
  ),
  messageSchema(
    'balance',
    Type.Object({
      currency: Type.Literal('MYR'),
      balance: Money,
      at: Instant,
      low: orNull(Money, 'The threshold that was just crossed downwards; null: none'),
    }),
    'Money moved; the balance that it left',
  ),
  messageSchema(
    'delivery',
    Type.Object({
      kind: enumOf(['delivery.failed', 'endpoint.paused']),
      stream: enumOf(STREAMS),
      delivery_id: orNull(Type.String()),
      error: orNull(Type.String()),
      at: Instant,
    }),
    'A delivery was given up, or an endpoint was paused',
  ),
  messageSchema(
    'case',
    Type.Object({
      number: Type.String(),
      kind: enumOf(CASE_KINDS),
      state: enumOf(CASE_STATES),
      refid: Type.String(),
      payment_id: Type.String(),
      at: Instant,
    }),
    'A case was opened or has changed',
  ),
  messageSchema(
    'deposit',
    Type.Object({ id: Type.String(), state: enumOf(['refused']), at: Instant }),
    'A deposit request was refused; one that is credited moves the balance',
  ),
  messageSchema(
    'order',
    Type.Object({ ended: Type.Integer() }),
    'Orders of the checkout have ended: read them again',
  ),
  messageSchema('catalog', Type.Object({}), 'The catalogue or its prices changed: read them again'),
  messageSchema(
    'network',
    Type.Object({
      interruptions: Type.Array(Type.Object({ product: Type.String(), name: Type.String(), since: Instant })),
    }),
    'The products that do not work now; after `hello` and at every change',
  ),
])
