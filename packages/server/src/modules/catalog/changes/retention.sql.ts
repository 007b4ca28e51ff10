import type { Tx } from '../../../db/database.ts'

/** Retention: everything from this version on is kept, and everything younger than these days. */
export type Kept = { readonly days: number; readonly fromVersion: bigint | undefined }

/**
 * Deletes the oldest rows of each account. The key begins with the account, so no index on the time is needed.
 * If an account has no old rows, only its oldest row is read.
 */
export async function deleteAccountEvents(tx: Tx, kept: Kept, rowsMax: number): Promise<number> {
  const { rowCount } = await tx.query(
    `with recursive heads as (
       (select reseller_id, version, created_at from account_catalog_events order by reseller_id, version limit 1)
       union all
       select next.reseller_id, next.version, next.created_at from heads
       cross join lateral (
         select a.reseller_id, a.version, a.created_at from account_catalog_events a
         where a.reseller_id > heads.reseller_id order by a.reseller_id, a.version limit 1
       ) next
     ), old as (
       select heads.reseller_id, oldest.version from heads
       cross join lateral (
         select a.version, a.created_at from account_catalog_events a
         where a.reseller_id = heads.reseller_id order by a.version limit $3
       ) oldest
       where heads.created_at < now() - make_interval(days => $1) and ($2::bigint is null or heads.version < $2)
         and oldest.created_at < now() - make_interval(days => $1) and ($2::bigint is null or oldest.version < $2)
       limit $3
     )
     delete from account_catalog_events a using old
     where a.reseller_id = old.reseller_id and a.version = old.version`,
    [kept.days, kept.fromVersion ?? null, rowsMax],
  )
  return rowCount
}

/** Deletes events of the oldest change only, when it was fully expanded before the given days. */
export async function deleteEvents(tx: Tx, kept: Kept, rowsMax: number): Promise<number> {
  const { rowCount } = await tx.query(
    `with oldest as materialized (
       select c.version from catalog_changes c
       where c.version = (select version from catalog_events order by version limit 1)
         and c.expanded_at < now() - make_interval(days => $1) and ($2::bigint is null or c.version < $2)
     ), old as (
       select event.version, event.set_id, event.position from oldest
       cross join lateral (
         select e.version, e.set_id, e.position from catalog_events e
         where e.version = oldest.version order by e.set_id, e.position limit $3
       ) event
     )
     delete from catalog_events e using old
     where e.version = old.version and e.set_id = old.set_id and e.position = old.position`,
    [kept.days, kept.fromVersion ?? null, rowsMax],
  )
  return rowCount
}

/**
 * Deletes the parts of old changes. The changes themselves stay: they are one row each, and show when something
 * happened. Parts are read only from the oldest change on that is not expanded, and changes are expanded in
 * order.
 */
export async function deleteParts(tx: Tx, kept: Kept, rowsMax: number): Promise<number> {
  const { rowCount } = await tx.query(
    `delete from catalog_change_parts p
     where (p.version, p.part) in (
       select o.version, o.part
       from (select version, part from catalog_change_parts order by version, part limit $2) o
       join catalog_changes c on c.version = o.version
       where c.expanded_at < now() - make_interval(days => $1)
     )`,
    [kept.days, rowsMax],
  )
  return rowCount
}
