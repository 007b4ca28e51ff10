import { Type } from 'typebox'
import { SCOPES } from '../../accounts/types.ts'
import { Account, bodyOf, dataOf, enumOf, Id, Instant, listOf, orNull, Reason } from '../console/schemas.ts'

const Key = Type.Object(
  {
    id: Type.String(),
    hint: Type.String({ description: 'Its beginning and its end; the key itself is its owner’s' }),
    label: Type.String(),
    scopes: Type.Array(enumOf(SCOPES)),
    has_secret: Type.Boolean(),
    state: enumOf(['active', 'in_grace', 'expired', 'revoked']),
    expires_at: orNull(Instant),
    revoked_at: orNull(Instant),
    created_at: Instant,
    last_used_at: orNull(Instant, 'Last proven request with it, to about a minute; null: there was none'),
  },
  { title: 'Reseller API key' },
)

export const KeyParameters = Type.Object({ account: Account, id: Id })
export const KeyListResponse = listOf(Key)
export const KeyResponse = dataOf(Key)
export const RevokeKeyBody = bodyOf('Reason request', { reason: Reason })
