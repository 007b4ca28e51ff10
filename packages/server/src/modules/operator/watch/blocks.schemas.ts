import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import { ACCOUNT_FIELDS } from '../../accounts/fields.service.ts'
import { bodyOf, dataOf, Instant, listOf, Reason } from '../console/schemas.ts'

const Block = Type.Object(
  {
    address: Type.String({ description: 'An IPv4 address, or an IPv6 /64, which counts as one' }),
    blocked_at: Instant,
    blocked_until: Instant,
    requests: Type.String({ description: 'How many it had sent' }),
  },
  { title: 'Blocked address' },
)

export const BlockListResponse = listOf(Block)
export const BlockResponse = dataOf(Block, 'The block that was lifted')
export const LiftBlockBody = bodyOf('Lift block request', {
  address: documentedAs(
    ACCOUNT_FIELDS.network,
    Type.String({ description: 'As the list shows it, or any address inside an IPv6 /64' }),
  ),
  reason: Reason,
})
