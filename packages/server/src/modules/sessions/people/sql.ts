import type { Queryable, Tx } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import { roleByPin } from '../../accounts/members.rules.ts'
import type { OperatorRole, UserRole } from '../../accounts/types.ts'
import type { Credentials, Person, PersonKey, PersonKind, Session } from './people.types.ts'

// ── People ──

const PERSON = 'p.kind, p.reseller_id, p.id, p.login, p.email, p.name, p.role, p.account, p.reseller_name'

type PersonRow = {
  kind: PersonKind
  reseller_id: bigint
  id: bigint
  login: string
  email: string
  name: string
  role: OperatorRole | UserRole
  account: string
  reseller_name: string
}

function personOf(row: PersonRow): Person {
  return {
    kind: row.kind,
    resellerId: row.reseller_id,
    id: row.id,
    login: row.login,
    email: row.email,
    name: row.name,
    role: row.role,
    account: row.account,
    resellerName: row.reseller_name,
  }
}

const CREDENTIALS = `${PERSON}, p.is_active, p.is_demo, p.password_hash,
  p.password_changed_at::text as password_version`

type CredentialsRow = PersonRow & {
  is_active: boolean
  is_demo: boolean
  password_hash: string
  password_version: string
}

function credentialsOf(row: CredentialsRow): Credentials {
  return {
    ...personOf(row),
    isActive: row.is_active,
    isDemo: row.is_demo,
    passwordHash: row.password_hash,
    passwordVersion: row.password_version,
  }
}

const FIND_BY_LOGIN = {
  name: 'find_person_by_login',
  text: `select ${CREDENTIALS} from people p where p.kind = $1 and p.login = $2`,
}

export async function findByLogin(
  connection: Queryable,
  kind: PersonKind,
  login: string,
): Promise<Credentials | undefined> {
  const { rows } = await connection.query<CredentialsRow>(FIND_BY_LOGIN, [kind, login])
  return rows[0] && credentialsOf(rows[0])
}

export async function findByKey(connection: Queryable, key: PersonKey): Promise<Credentials | undefined> {
  const { rows } = await connection.query<CredentialsRow>(
    `select ${CREDENTIALS} from people p where p.kind = $1 and p.reseller_id = $2 and p.id = $3`,
    [key.kind, key.resellerId, key.id],
  )
  return rows[0] && credentialsOf(rows[0])
}

// ── Sessions ──

export type NewSession = {
  readonly person: PersonKey
  readonly passwordVersion: string
  readonly digest: Buffer
  readonly lifetimeSeconds: number
  readonly address: string
  readonly userAgent: string
  readonly passkeyId: bigint | null
  /** Shared till at which the person signs in, if it is one. */
  readonly till?: { readonly id: bigint; readonly idleSeconds: number; readonly isByPin: boolean } | undefined
}

export async function insertSession(tx: Tx, session: NewSession): Promise<Session> {
  const { person } = session
  const { rows } = await tx.query<SessionRow>(
    `insert into sessions
       (kind, reseller_id, person_id, password_changed_at, digest, expires_at, address, user_agent, passkey_id,
        shared_till_id, idle_seconds, is_by_pin)
     values ($1, $2, $3, $4::timestamptz, $5, clock_timestamp() + make_interval(secs => $6), $7, $8, $9, $10, $11, $12)
     returning ${SESSION}`,
    [
      person.kind,
      person.resellerId,
      person.id,
      session.passwordVersion,
      session.digest,
      session.lifetimeSeconds,
      session.address,
      session.userAgent,
      session.passkeyId,
      session.till?.id ?? null,
      session.till?.idleSeconds ?? null,
      session.till?.isByPin ?? false,
    ],
  )
  assert(rows[0] !== undefined, 'an insert with returning gives its row')
  return sessionOf(rows[0])
}

export type LiveSession = {
  readonly id: bigint
  readonly isDue: boolean
  readonly passkeyId: bigint | null
  readonly isByPin: boolean
  readonly sharedTillId: bigint | null
  readonly person: Person
}

const FIND_LIVE = {
  name: 'find_live_session',
  text: `select s.id as session_id, s.passkey_id, s.is_by_pin, s.shared_till_id,
                s.last_seen_at < clock_timestamp() - interval '1 minute' as is_due, ${PERSON}
           from sessions s
           join people p on p.kind = s.kind and p.reseller_id = s.reseller_id and p.id = s.person_id
          where s.digest = $1 and s.kind = $2 and s.ended_at is null
            and s.expires_at > clock_timestamp()
            and s.last_seen_at > clock_timestamp() - make_interval(secs => coalesce(s.idle_seconds, $3))
            and p.is_active and p.password_changed_at = s.password_changed_at and not (p.is_demo and $4)`,
}

/** Finds a session that is valid now, with the present data of its person. */
export async function findLiveSession(
  connection: Queryable,
  wanted: { digest: Buffer; kind: PersonKind; idleSeconds: number; refusesDemo: boolean },
): Promise<LiveSession | undefined> {
  const { rows } = await connection.query<
    PersonRow & {
      session_id: bigint
      is_due: boolean
      passkey_id: bigint | null
      is_by_pin: boolean
      shared_till_id: bigint | null
    }
  >(FIND_LIVE, [wanted.digest, wanted.kind, wanted.idleSeconds, wanted.refusesDemo])
  const [row] = rows
  const role = row && roleIn(row)
  if (row === undefined || role === undefined) return undefined
  return {
    id: row.session_id,
    isDue: row.is_due,
    passkeyId: row.passkey_id,
    isByPin: row.is_by_pin,
    sharedTillId: row.shared_till_id,
    person: { ...personOf(row), role },
  }
}

/** Role in the session: a PIN opens a cashier's. undefined: the person may not have come by PIN. */
function roleIn(row: {
  role: OperatorRole | UserRole
  is_by_pin: boolean
}): OperatorRole | UserRole | undefined {
  return row.is_by_pin ? roleByPin(row.role as UserRole) : row.role
}

const LIST_LIVE = {
  name: 'list_live_sessions',
  text: `select s.id, p.role, s.is_by_pin
           from sessions s
           join people p on p.kind = s.kind and p.reseller_id = s.reseller_id and p.id = s.person_id
          where s.id = any($1::bigint[]) and s.kind = $2 and s.ended_at is null
            and s.expires_at > clock_timestamp()
            and s.last_seen_at > clock_timestamp() - make_interval(secs => coalesce(s.idle_seconds, $3))
            and p.is_active and p.password_changed_at = s.password_changed_at and not (p.is_demo and $4)`,
}

/** Lists which of the sessions are valid now, each with the present role of its person in it. */
export async function listLiveSessions(
  connection: Queryable,
  wanted: { ids: readonly bigint[]; kind: PersonKind; idleSeconds: number; refusesDemo: boolean },
): Promise<ReadonlyMap<bigint, string>> {
  const { rows } = await connection.query<{ id: bigint; role: UserRole; is_by_pin: boolean }>(LIST_LIVE, [
    wanted.ids,
    wanted.kind,
    wanted.idleSeconds,
    wanted.refusesDemo,
  ])
  return new Map(
    rows.flatMap((row) => {
      const role = roleIn(row)
      return role === undefined ? [] : [[row.id, role] as const]
    }),
  )
}

export async function touchSession(connection: Queryable, id: bigint): Promise<void> {
  await connection.query(
    'update sessions set last_seen_at = statement_timestamp() where id = $1 and ended_at is null',
    [id],
  )
}

/** Puts a session under the rules of the shared till at which it goes on; null: of none. */
export async function moveToTill(
  tx: Tx,
  id: bigint,
  till: { readonly id: bigint; readonly idleSeconds: number } | null,
): Promise<void> {
  await tx.query(
    `update sessions set shared_till_id = $2, idle_seconds = $3
      where id = $1 and ended_at is null and not is_by_pin`,
    [id, till?.id ?? null, till?.idleSeconds ?? null],
  )
}

/** Notes that the session's person has just proved who they are. */
export async function markProven(tx: Tx, id: bigint): Promise<void> {
  await tx.query('update sessions set proven_at = statement_timestamp() where id = $1 and ended_at is null', [
    id,
  ])
}

/** Tells whether the session's person proved within the last seconds who they are. */
export async function isProven(connection: Queryable, id: bigint, withinSeconds: number): Promise<boolean> {
  const { rowCount } = await connection.query(
    'select from sessions where id = $1 and proven_at > clock_timestamp() - make_interval(secs => $2)',
    [id, withinSeconds],
  )
  return rowCount === 1
}

const SESSION =
  'id, host(address) as address, user_agent, passkey_id, is_by_pin, created_at, last_seen_at, expires_at'

type SessionRow = {
  id: bigint
  address: string
  user_agent: string
  passkey_id: bigint | null
  is_by_pin: boolean
  created_at: Date
  last_seen_at: Date
  expires_at: Date
}

function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    address: row.address,
    userAgent: row.user_agent,
    passkeyId: row.passkey_id,
    isByPin: row.is_by_pin,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    expiresAt: row.expires_at,
  }
}

/** Lists the valid sessions, the newest first. */
export async function listSessions(
  connection: Queryable,
  key: PersonKey,
  { idleSeconds, limit }: { idleSeconds: number; limit: number },
): Promise<Session[]> {
  const { rows } = await connection.query<SessionRow>(
    `select ${SESSION} from sessions
      where person_id = $3 and reseller_id = $2 and kind = $1 and ended_at is null
        and expires_at > clock_timestamp()
        and last_seen_at > clock_timestamp() - make_interval(secs => coalesce(idle_seconds, $4))
      order by created_at desc, id desc limit $5`,
    [key.kind, key.resellerId, key.id, idleSeconds, limit],
  )
  return rows.map(sessionOf)
}

export async function endSessionByDigest(
  connection: Queryable,
  kind: PersonKind,
  digest: Buffer,
): Promise<void> {
  await connection.query(
    'update sessions set ended_at = statement_timestamp() where digest = $1 and kind = $2 and ended_at is null',
    [digest, kind],
  )
}

/**
 * Ends sessions of the person: with `only` at most that one, with `but` all others. Returns the number of ended
 * sessions.
 */
export async function endSessions(
  connection: Queryable,
  key: PersonKey,
  which: { only?: bigint; but?: bigint },
): Promise<number> {
  const { rowCount } = await connection.query(
    `update sessions set ended_at = statement_timestamp()
      where person_id = $3 and reseller_id = $2 and kind = $1 and ended_at is null
        and ($4::bigint is null or id = $4) and ($5::bigint is null or id <> $5)`,
    [key.kind, key.resellerId, key.id, which.only ?? null, which.but ?? null],
  )
  return rowCount
}

/** Ends all sessions of the person but those that were used last. */
export async function endSessionsBeyond(tx: Tx, key: PersonKey, keptMax: number): Promise<void> {
  await tx.query(
    `update sessions set ended_at = statement_timestamp()
      where id = any (array (
        select id from sessions
         where person_id = $3 and reseller_id = $2 and kind = $1 and ended_at is null
         order by last_seen_at desc, id desc offset $4))`,
    [key.kind, key.resellerId, key.id, keptMax],
  )
}

/** Deletes at most `limit` sessions that expired more than `keptDays` days ago. */
export async function deleteOldSessions(
  connection: Queryable,
  keptDays: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from sessions where id = any (array (
       select id from sessions
        where expires_at < statement_timestamp() - make_interval(days => $1) order by expires_at limit $2))`,
    [keptDays, limit],
  )
  return rowCount
}

export type MemberStanding = {
  /** Time when the second factor was confirmed; null: there is none. */
  readonly secondFactorAt: Date | null
  /** Last time that one of the present sessions was used; null: nobody is signed in. */
  readonly lastSeenAt: Date | null
}

/** Lists how the members of an account sign in, by their ids. Those without a factor and a session are left out. */
export async function listStandings(
  connection: Queryable,
  resellerId: bigint,
  userIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, MemberStanding>> {
  const { rows } = await connection.query<{
    person_id: bigint
    confirmed_at: Date | null
    last_seen_at: Date | null
  }>(
    `select coalesce(f.person_id, s.person_id) as person_id, f.confirmed_at, s.last_seen_at
       from (select person_id, confirmed_at from second_factors
              where kind = 'member' and reseller_id = $1 and confirmed_at is not null) f
       full join (select person_id, max(last_seen_at) as last_seen_at from sessions
                   where person_id = any($2::bigint[]) and reseller_id = $1 and kind = 'member' and ended_at is null
                   group by person_id) s on s.person_id = f.person_id`,
    [resellerId, userIds],
  )
  return new Map(
    rows.map((row) => [row.person_id, { secondFactorAt: row.confirmed_at, lastSeenAt: row.last_seen_at }]),
  )
}
