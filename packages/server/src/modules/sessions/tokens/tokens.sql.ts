import type { Queryable } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import type { OperatorRole } from '../../accounts/types.ts'
import type { OperatorToken } from './tokens.types.ts'

const TOKEN = 'id, label, role, created_at, expires_at, last_used_at, revoked_at'

type TokenRow = {
  id: bigint
  label: string
  role: OperatorRole
  created_at: Date
  expires_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
}

function tokenOf(row: TokenRow): OperatorToken {
  return {
    id: row.id,
    label: row.label,
    role: row.role,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}

export async function insertToken(
  connection: Queryable,
  token: { digest: Buffer; operatorId: bigint; label: string; role: OperatorRole; days: number },
): Promise<OperatorToken> {
  const { rows } = await connection.query<TokenRow>(
    `insert into operator_tokens (digest, operator_id, label, role, expires_at)
     values ($1, $2, $3, $4, clock_timestamp() + make_interval(days => $5)) returning ${TOKEN}`,
    [token.digest, token.operatorId, token.label, token.role, token.days],
  )
  assert(rows[0] !== undefined, 'an insert with returning gives its row')
  return tokenOf(rows[0])
}

export async function countLiveTokens(connection: Queryable, operatorId: bigint): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*)::integer as count from operator_tokens
      where operator_id = $1 and revoked_at is null and expires_at > clock_timestamp()`,
    [operatorId],
  )
  return rows[0]?.count ?? 0
}

/** Lists the newest first, ended ones included. */
export async function listTokenRows(
  connection: Queryable,
  operatorId: bigint,
  limit: number,
): Promise<OperatorToken[]> {
  const { rows } = await connection.query<TokenRow>(
    `select ${TOKEN} from operator_tokens where operator_id = $1 order by created_at desc, id desc limit $2`,
    [operatorId, limit],
  )
  return rows.map(tokenOf)
}

/** False: the operator has no such token, or it was revoked before. */
export async function revokeToken(connection: Queryable, operatorId: bigint, id: bigint): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update operator_tokens set revoked_at = statement_timestamp()
      where id = $1 and operator_id = $2 and revoked_at is null`,
    [id, operatorId],
  )
  return rowCount === 1
}

export type LiveToken = {
  readonly id: bigint
  readonly role: OperatorRole
  readonly isDue: boolean
  readonly operator: { id: bigint; email: string; name: string; role: OperatorRole }
}

type LiveTokenRow = {
  token_id: bigint
  token_role: OperatorRole
  is_due: boolean
  id: bigint
  email: string
  name: string
  role: OperatorRole
}

const FIND_LIVE = {
  name: 'find_live_operator_token',
  text: `select t.id as token_id, t.role as token_role,
                coalesce(t.last_used_at < clock_timestamp() - interval '1 minute', true) as is_due,
                p.id, p.email, p.name, p.role
           from operator_tokens t
           join people p on p.kind = 'operator' and p.id = t.operator_id
          where t.digest = $1 and t.revoked_at is null and t.expires_at > clock_timestamp()
            and p.is_active and not (p.is_demo and $2)`,
}

/** Finds a token that is valid now, with the present data of its operator. */
export async function findLiveToken(
  connection: Queryable,
  digest: Buffer,
  refusesDemo: boolean,
): Promise<LiveToken | undefined> {
  const { rows } = await connection.query<LiveTokenRow>(FIND_LIVE, [digest, refusesDemo])
  const row = rows[0]
  return (
    row && {
      id: row.token_id,
      role: row.token_role,
      isDue: row.is_due,
      operator: { id: row.id, email: row.email, name: row.name, role: row.role },
    }
  )
}

export async function touchToken(connection: Queryable, id: bigint): Promise<void> {
  await connection.query('update operator_tokens set last_used_at = statement_timestamp() where id = $1', [
    id,
  ])
}
