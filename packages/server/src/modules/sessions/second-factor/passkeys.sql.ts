import type { Queryable, Tx } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import type { PersonKey, PersonKind } from '../people/people.types.ts'
import type { ChallengePurpose, Passkey } from './passkeys.types.ts'

const PASSKEY =
  'id, credential_id, public_key, counter, transports, label, is_backed_up, created_at, last_used_at'

type PasskeyRow = {
  id: bigint
  credential_id: Buffer
  public_key: Buffer
  counter: bigint
  transports: string[]
  label: string
  is_backed_up: boolean
  created_at: Date
  last_used_at: Date | null
}

function passkeyOf(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    transports: row.transports,
    label: row.label,
    isBackedUp: row.is_backed_up,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}

function keyOf({ kind, resellerId, id }: PersonKey): readonly unknown[] {
  return [kind, resellerId, id]
}

/** Lists the oldest first. */
export async function listPasskeys(connection: Queryable, key: PersonKey): Promise<Passkey[]> {
  const { rows } = await connection.query<PasskeyRow>(
    `select ${PASSKEY} from passkeys where kind = $1 and reseller_id = $2 and person_id = $3 order by created_at, id`,
    keyOf(key),
  )
  return rows.map(passkeyOf)
}

export async function hasPasskey(connection: Queryable, key: PersonKey): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(
    `select exists (select from passkeys where kind = $1 and reseller_id = $2 and person_id = $3) as found`,
    keyOf(key),
  )
  return rows[0]?.found === true
}

export type OwnedPasskey = { readonly owner: PersonKey; readonly passkey: Passkey }

/** Finds a passkey by the id that its device shows. The people of the two APIs are kept apart. */
export async function findPasskey(
  connection: Queryable,
  kind: PersonKind,
  credentialId: Buffer,
): Promise<OwnedPasskey | undefined> {
  const { rows } = await connection.query<PasskeyRow & { reseller_id: bigint; person_id: bigint }>(
    `select reseller_id, person_id, ${PASSKEY} from passkeys where credential_id = $1 and kind = $2`,
    [credentialId, kind],
  )
  const row = rows[0]
  return row && { owner: { kind, resellerId: row.reseller_id, id: row.person_id }, passkey: passkeyOf(row) }
}

export type NewPasskey = Pick<
  Passkey,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'label' | 'isBackedUp'
>

/** Stores a passkey. undefined: its device was registered before, by this or another person. */
export async function insertPasskey(
  tx: Tx,
  key: PersonKey,
  passkey: NewPasskey,
): Promise<Passkey | undefined> {
  const { rows } = await tx.query<PasskeyRow>(
    `insert into passkeys
       (kind, reseller_id, person_id, credential_id, public_key, counter, transports, label, is_backed_up)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (credential_id) do nothing
     returning ${PASSKEY}`,
    [
      ...keyOf(key),
      passkey.credentialId,
      passkey.publicKey,
      passkey.counter,
      passkey.transports,
      passkey.label,
      passkey.isBackedUp,
    ],
  )
  return rows[0] && passkeyOf(rows[0])
}

/**
 * Records a use. False: the passkey is gone, or its count went back. A device that does not count stays at 0.
 */
export async function usePasskey(tx: Tx, key: PersonKey, id: bigint, counter: bigint): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update passkeys set counter = $5, last_used_at = statement_timestamp()
      where kind = $1 and reseller_id = $2 and person_id = $3 and id = $4
        and (counter < $5 or (counter = 0 and $5 = 0))`,
    [...keyOf(key), id, counter],
  )
  return rowCount === 1
}

/** Returns the name until now. undefined: there is no such passkey of this person. */
export async function lockPasskeyLabel(tx: Tx, key: PersonKey, id: bigint): Promise<string | undefined> {
  const { rows } = await tx.query<{ label: string }>(
    `select label from passkeys
      where kind = $1 and reseller_id = $2 and person_id = $3 and id = $4 for update`,
    [...keyOf(key), id],
  )
  return rows[0]?.label
}

export async function renamePasskey(tx: Tx, key: PersonKey, id: bigint, label: string): Promise<Passkey> {
  const { rows } = await tx.query<PasskeyRow>(
    `update passkeys set label = $5
      where kind = $1 and reseller_id = $2 and person_id = $3 and id = $4 returning ${PASSKEY}`,
    [...keyOf(key), id, label],
  )
  assert(rows[0] !== undefined, 'the row is locked')
  return passkeyOf(rows[0])
}

/** Deletes one passkey, or with `id` null all of the person's. Returns the number of deleted ones. */
export async function deletePasskeys(tx: Tx, key: PersonKey, id: bigint | null): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from passkeys
      where kind = $1 and reseller_id = $2 and person_id = $3 and ($4::bigint is null or id = $4)`,
    [...keyOf(key), id],
  )
  return rowCount
}

// ── Challenges ──

/** Holder of a challenge: a person in a session, or nobody yet. */
export type ChallengeHolder = {
  readonly purpose: ChallengePurpose
  readonly person: PersonKey
  /** Session that asked; empty for signing in. */
  readonly credential: string
}

export type NewChallenge = ChallengeHolder & {
  readonly digest: Buffer
  readonly challenge: Buffer
  readonly lifetimeSeconds: number
}

export async function insertChallenge(connection: Queryable, row: NewChallenge): Promise<void> {
  await connection.query(
    `insert into passkey_challenges
       (kind, reseller_id, person_id, digest, purpose, credential, challenge, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(secs => $8))`,
    [...keyOf(row.person), row.digest, row.purpose, row.credential, row.challenge, row.lifetimeSeconds],
  )
}

/** Takes a challenge away, so that no second answer finds it. undefined: it is gone, too old or somebody else's. */
export async function takeChallenge(
  connection: Queryable,
  digest: Buffer,
  { purpose, person, credential }: ChallengeHolder,
): Promise<Buffer | undefined> {
  const { rows } = await connection.query<{ challenge: Buffer; is_live: boolean }>(
    `with taken as (
       delete from passkey_challenges
        where digest = $4 and kind = $1 and reseller_id = $2 and person_id = $3 and purpose = $5 and credential = $6
       returning challenge, expires_at
     )
     select challenge, expires_at > clock_timestamp() as is_live from taken`,
    [...keyOf(person), digest, purpose, credential],
  )
  return rows[0]?.is_live === true ? rows[0].challenge : undefined
}

/** Deletes at most `limit` challenges that nobody answered in time. */
export async function deleteOldChallenges(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from passkey_challenges where digest = any (array (
       select digest from passkey_challenges where expires_at < statement_timestamp() order by expires_at limit $1))`,
    [limit],
  )
  return rowCount
}

// ── Sessions ──

/** Notes that the present session's person has just used a passkey. */
export async function markSession(tx: Tx, key: PersonKey, sessionId: bigint, id: bigint): Promise<void> {
  await tx.query(
    `update sessions set passkey_id = $5
      where kind = $1 and reseller_id = $2 and person_id = $3 and id = $4 and ended_at is null`,
    [...keyOf(key), sessionId, id],
  )
}

/** Ends the sessions that a passkey opened, except one. */
export async function endSessionsOfPasskey(
  tx: Tx,
  key: PersonKey,
  id: bigint,
  exceptSessionId: bigint,
): Promise<void> {
  await tx.query(
    `update sessions set ended_at = statement_timestamp()
      where kind = $1 and reseller_id = $2 and person_id = $3 and passkey_id = $4 and id <> $5
        and ended_at is null`,
    [...keyOf(key), id, exceptSessionId],
  )
}
