import type { Queryable } from '../../db/database.ts'
import type { Limit, LimitSetter } from '../../modules/payments/limits/types.ts'

export type GivenLimit = Pick<Limit, 'scope' | 'period'> & Partial<Limit> & { readonly setBy?: LimitSetter }

export async function limitReseller(
  database: Queryable,
  resellerId: bigint,
  given: GivenLimit,
): Promise<void> {
  const { scope, period, category, payments = null, sum = null, setBy = 'operator' } = given
  await database.query(
    `insert into reseller_limits (reseller_id, set_by, scope, period, category, payments, face_value)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [resellerId, setBy, scope, period, category ?? '', payments, sum],
  )
}

/** Limits a member; a member of the reseller is made for it. Returns what payments name it by. */
export async function limitMember(
  database: Queryable,
  resellerId: bigint,
  given: Pick<Limit, 'period'> & Partial<Limit>,
): Promise<string> {
  const { rows } = await database.query<{ id: bigint }>(
    `insert into users (reseller_id, username, email, password_hash, role)
     values ($1, 'cashier-' || gen_random_uuid(), 'cashier@example.com', 'x', 'cashier') returning id`,
    [resellerId],
  )
  const id = rows[0]?.id
  await database.query(
    `insert into member_limits (reseller_id, user_id, period, payments, face_value) values ($1, $2, $3, $4, $5)`,
    [resellerId, id, given.period, given.payments ?? null, given.sum ?? null],
  )
  return String(id)
}

export async function limitLevel(database: Queryable, level: string, given: GivenLimit): Promise<void> {
  const { scope, period, category, payments = null, sum = null } = given
  await database.query(
    `insert into level_limits (price_level, scope, period, category, payments, face_value)
     values ($1, $2, $3, $4, $5, $6)`,
    [level, scope, period, category ?? '', payments, sum],
  )
}

/** Brings a reseller's test clock forward. */
export async function advanceDays(database: Queryable, resellerId: bigint, days: number): Promise<void> {
  await database.query(
    'insert into test_clock_moves (reseller_id, at, seconds) values ($1, clock_timestamp(), $2::integer * 86400)',
    [resellerId, days],
  )
}
