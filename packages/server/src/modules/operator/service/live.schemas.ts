import { Type } from 'typebox'
import { enumOf } from '../../../http/schemas.ts'
import { messageSchema, streamSchema } from '../../../http/streams/schemas.ts'
import { SEVERITIES } from '../../alerts/core/types.ts'
import { APPROVAL_STATES } from '../../approvals/types.ts'
import { CASE_KINDS, CASE_STATES } from '../../cases/types.ts'

const At = Type.String({ description: 'ISO 8601, UTC' })

export const OperatorLiveStream = streamSchema([
  messageSchema(
    'alert',
    Type.Object({
      change: enumOf(['opened', 'cleared']),
      id: Type.String(),
      kind: Type.String(),
      subject: Type.String(),
      severity: enumOf(SEVERITIES),
      at: At,
    }),
    'An alert was opened or cleared',
  ),
  messageSchema(
    'approval',
    Type.Object({
      change: enumOf(['requested', 'decided']),
      id: Type.String(),
      kind: Type.String(),
      state: enumOf(APPROVAL_STATES),
      at: At,
    }),
    'Something was asked for that a second person decides, or was decided',
  ),
  messageSchema(
    'case',
    Type.Object({ number: Type.String(), kind: enumOf(CASE_KINDS), state: enumOf(CASE_STATES), at: At }),
    'A case was opened or has changed',
  ),
  messageSchema(
    'ledger',
    Type.Object({
      change: enumOf(['started', 'finished']),
      id: Type.String({ description: 'Id of the check' }),
      at: At,
    }),
    'A check of the whole ledger began or ended; its result is in the list of checks',
  ),
  messageSchema(
    'payments',
    Type.Object({
      changed: Type.Array(
        Type.Object({
          id: Type.String(),
          code: Type.Integer({ description: 'statusCode of the payment' }),
          state: enumOf(['accepted', 'processing', 'succeeded', 'failed', 'voided']),
        }),
        { description: 'At most 100' },
      ),
      more: Type.Boolean({ description: 'true: others changed too, read the list again' }),
    }),
    'Payments that were made or have changed; a few messages a second at most, and not repeated after a reconnect',
  ),
  messageSchema(
    'stuck',
    Type.Object({ count: Type.Integer() }),
    'How many payments are past their due time; after `hello` and at every change',
  ),
  messageSchema(
    'providers',
    Type.Object({
      providers: Type.Array(
        Type.Object({
          code: Type.String(),
          state: enumOf(['closed', 'open', 'half_open']),
          takes_orders: Type.Boolean({ description: 'false: it was switched off' }),
        }),
      ),
    }),
    'How providers are, all of them; after `hello` and when one changes',
  ),
])
