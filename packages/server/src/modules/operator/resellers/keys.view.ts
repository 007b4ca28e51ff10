import type { ApiKey } from '../../accounts/types.ts'

const ENDING = 4
const BEGINNING = /^(?:wk_[a-z]+_)?.{0,4}/

/** Of the key itself as much as tells it from the others: who reads it here is not who may use it. */
export function keyView(key: ApiKey) {
  return {
    id: String(key.id),
    hint: `${BEGINNING.exec(key.key)?.[0] ?? ''}…${key.key.slice(-ENDING)}`,
    label: key.label,
    scopes: key.scopes,
    has_secret: key.hasSecret,
    state: key.state,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
  }
}
