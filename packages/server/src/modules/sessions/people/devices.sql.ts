import type { Queryable, Tx } from '../../../db/database.ts'
import type { PersonKey, PersonKind } from './people.types.ts'

export type Device = {
  /** A browser shows the secret in its cookie; an API client is known by its network alone. */
  readonly what: 'browser' | 'network'
  readonly digest: Buffer
}

const IS_KNOWN = {
  name: 'is_known_sign_in_device',
  text: `select exists (
           select from people p
             join sign_in_devices d on d.reseller_id = p.reseller_id and d.person_id = p.id and d.kind = p.kind
              and d.password_changed_at = p.password_changed_at
            where p.kind = $1 and p.login = $2 and d.what = $3 and d.digest = $4
              and d.last_used_at > clock_timestamp() - make_interval(days => $5)) as known`,
}

/** Tells whether the person of that name has signed in from the device with the present password. */
export async function isKnownDevice(
  connection: Queryable,
  { kind, login }: { kind: PersonKind; login: string },
  { what, digest }: Device,
  days: number,
): Promise<boolean> {
  const { rows } = await connection.query<{ known: boolean }>(IS_KNOWN, [kind, login, what, digest, days])
  return rows[0]?.known === true
}

/**
 * Records that the person has signed in from a device, unless the password has changed since it was checked. A device
 * in constant use is written once a day. Returns whether a row was written.
 */
export async function putDevice(
  tx: Tx,
  key: PersonKey,
  passwordVersion: string | Date,
  { what, digest }: Device,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with person as (
       select reseller_id, id, kind, password_changed_at from people
        where kind = $1 and reseller_id = $2 and id = $3
          and date_trunc('milliseconds', password_changed_at) = date_trunc('milliseconds', $6::timestamptz)
     )
     insert into sign_in_devices as device
       (reseller_id, person_id, kind, what, digest, password_changed_at, last_used_at)
     select p.reseller_id, p.id, p.kind, $4, $5, p.password_changed_at, clock_timestamp() from person p
     on conflict (reseller_id, person_id, kind, what, digest) do update
        set password_changed_at = excluded.password_changed_at, last_used_at = excluded.last_used_at
      where device.password_changed_at <> excluded.password_changed_at
         or excluded.last_used_at - device.last_used_at > interval '1 day'`,
    [key.kind, key.resellerId, key.id, what, digest, passwordVersion],
  )
  return rowCount > 0
}

/** Deletes all devices of one sort except the `kept` most recent ones. */
export async function deleteOtherDevices(
  tx: Tx,
  key: PersonKey,
  what: Device['what'],
  kept: number,
): Promise<void> {
  await tx.query(
    `delete from sign_in_devices
      where reseller_id = $2 and person_id = $3 and kind = $1 and what = $4
        and digest = any (array (
          select digest from sign_in_devices
           where reseller_id = $2 and person_id = $3 and kind = $1 and what = $4
           order by last_used_at desc offset $5))`,
    [key.kind, key.resellerId, key.id, what, kept],
  )
}

/** Deletes at most `limit` devices that have not been used for `days` days, and so are no longer known. */
export async function deleteOldDevices(connection: Queryable, days: number, limit: number): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from sign_in_devices where ctid = any (array (
       select ctid from sign_in_devices
        where last_used_at < statement_timestamp() - make_interval(days => $1) order by last_used_at limit $2))`,
    [days, limit],
  )
  return rowCount
}
