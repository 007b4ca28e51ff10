import type { Tx } from '../../../db/database.ts'
import type { FanoutPosition } from '../../catalog/changes/positions.service.ts'

/** A catalogue change that is being turned into deliveries of one account. */
export type Fanout = {
  readonly resellerId: bigint
  /** Sequence of its first event in the feed. */
  readonly sequence: bigint
  readonly version: bigint
  /** Number of its events that are deliveries already; `place` says where the next one is stored. */
  readonly done: number
  readonly place: FanoutPosition
  /** False: the receiver is removed or switched off, so nothing is queued for it. */
  readonly isWanted: boolean
}

type FanoutRow = {
  reseller_id: bigint
  sequence: bigint
  version: bigint
  done: number
  visit: number
  position: number
  is_wanted: boolean
}

/**
 * Locks the oldest fan-out of each of the next accounts. Skips fan-outs that another node has locked, and accounts with
 * `waitingMax` due deliveries or more.
 */
export async function lockFanouts(
  tx: Tx,
  page: { readonly after: bigint; readonly limit: number; readonly waitingMax: number },
): Promise<Fanout[]> {
  const { rows } = await tx.query<FanoutRow>(
    `select f.reseller_id, f.sequence, f.version, f.done, f.visit, f.position,
            coalesce(e.is_enabled, false) as is_wanted
     from event_fanouts f
     left join event_endpoints e on e.reseller_id = f.reseller_id and e.stream = 'catalog'
     where f.reseller_id > $1
       and not exists (select from event_fanouts o where o.reseller_id = f.reseller_id and o.sequence < f.sequence)
       and (select count(*) from (
              select from delivery_work w
              where w.reseller_id = f.reseller_id and w.stream = 'catalog' and w.next_at <= clock_timestamp()
              limit $3
            ) waiting) < $3
     order by f.reseller_id
     limit $2
     for update of f skip locked`,
    [page.after, page.limit, page.waitingMax],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    sequence: row.sequence,
    version: row.version,
    done: row.done,
    place: { visit: row.visit, position: row.position },
    isWanted: row.is_wanted,
  }))
}

export type FannedEvent = {
  readonly fanout: Fanout
  /** Sequence of the event in the feed. */
  readonly sequence: bigint
  readonly setId: string
  readonly position: number
}

/** Inserts deliveries with their work and lanes. For a paused receiver they are failed at once, and can be replayed. */
export async function insertFannedOut(tx: Tx, events: readonly FannedEvent[]): Promise<void> {
  await tx.query(
    `with due as materialized (
       select f.reseller_id, f.version, f.at, e.url, e.method, e.paused_at is not null as is_paused,
              event_id(f.reseller_id, given.sequence) as event_id, given.set_id, given.position, clock.now,
              new_delivery_id(clock.now, given.place::integer) as delivery_id
       from (select clock_timestamp() as now) clock
       cross join unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::uuid[], $5::integer[]) with ordinality
         as given (reseller_id, first_sequence, sequence, set_id, position, place)
       join event_fanouts f on f.reseller_id = given.reseller_id and f.sequence = given.first_sequence
       join event_endpoints e on e.reseller_id = given.reseller_id and e.stream = 'catalog' and e.is_enabled
     ), made as (
       insert into deliveries (reseller_id, stream, id, event_id, source, subject, catalog_set_id, catalog_position, at,
                               status, error, url, method, created_at, completed_at)
       select reseller_id, 'catalog', delivery_id, event_id, 'catalog', version, set_id, position, at,
              case when is_paused then 'failed' else 'pending' end,
              case when is_paused then 'The endpoint is paused' else '' end,
              url, method, now, case when is_paused then now end
       from due
     ), queued as (
       insert into delivery_work (reseller_id, stream, next_at, delivery_id)
       select reseller_id, 'catalog', now, delivery_id from due where not is_paused
     ), lanes as (
       insert into delivery_lanes as l (reseller_id, stream, next_at)
       select reseller_id, 'catalog', min(now) from due where not is_paused group by reseller_id order by reseller_id
       on conflict (reseller_id, stream) do update set next_at = excluded.next_at
        where l.holder is null and l.next_at > excluded.next_at
     )
     select pg_notify(channel_prefix() || 'deliveries', '')`,
    [
      events.map(({ fanout }) => fanout.resellerId),
      events.map(({ fanout }) => fanout.sequence),
      events.map(({ sequence }) => sequence),
      events.map(({ setId }) => setId),
      events.map(({ position }) => position),
    ],
  )
}

export type Progress = { readonly fanout: Fanout; readonly done: number; readonly place: FanoutPosition }

export async function saveFanouts(tx: Tx, progress: readonly Progress[]): Promise<void> {
  await tx.query(
    `update event_fanouts f
     set done = given.done, visit = given.visit, position = given.position
     from unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[])
       as given (reseller_id, sequence, done, visit, position)
     where f.reseller_id = given.reseller_id and f.sequence = given.sequence`,
    [
      progress.map(({ fanout }) => fanout.resellerId),
      progress.map(({ fanout }) => fanout.sequence),
      progress.map(({ done }) => done),
      progress.map(({ place }) => place.visit),
      progress.map(({ place }) => place.position),
    ],
  )
}

export async function deleteFanouts(tx: Tx, fanouts: readonly Fanout[]): Promise<void> {
  await tx.query(
    `delete from event_fanouts f using unnest($1::bigint[], $2::bigint[]) as given (reseller_id, sequence)
     where f.reseller_id = given.reseller_id and f.sequence = given.sequence`,
    [fanouts.map(({ resellerId }) => resellerId), fanouts.map(({ sequence }) => sequence)],
  )
}
