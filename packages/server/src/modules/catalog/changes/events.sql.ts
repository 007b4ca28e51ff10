import type { Queryable, Tx } from '../../../db/database.ts'
import type { CatalogEvent, EventResource, EventType } from '../model/changes.types.ts'
import type { AccountEvent } from './events.types.ts'

/** Inserts the events of one change for accounts that see the same; a second insert changes nothing. */
export async function insertEventSet(
  tx: Tx,
  version: bigint,
  setId: string,
  events: readonly CatalogEvent[],
): Promise<void> {
  await tx.query(
    `insert into catalog_events (version, set_id, position, resource, resource_id, type, data)
     select $1, $2, position, resource, resource_id, type, data::jsonb
     from unnest($3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
       as given (resource, resource_id, type, data, position)
     on conflict (version, set_id, position) do nothing`,
    [
      version,
      setId,
      events.map((event) => event.resource),
      events.map((event) => event.id),
      events.map((event) => event.type),
      events.map((event) => event.data),
    ],
  )
}

export type AccountEvents = {
  readonly resellerId: bigint
  readonly resellerCode: string
  /** Set ids in the order in which the account gets them. */
  readonly setIds: readonly string[]
  /** Number of events in all of the sets. */
  readonly count: number
}

/** Inserts the accounts' events, and the facts that give them their place in the accounts' feeds. */

export async function insertAccountEvents(
  tx: Tx,
  version: bigint,
  accounts: readonly AccountEvents[],
): Promise<void> {
  const rows = accounts.map(({ resellerId, resellerCode, setIds }) => ({
    reseller_id: String(resellerId),
    reseller_code: resellerCode,
    set_ids: setIds,
  }))
  await tx.query(
    `insert into account_catalog_events (reseller_id, version, set_ids, reseller_code)
     select reseller_id, $1, set_ids, reseller_code
     from jsonb_to_recordset($2::jsonb) as given (reseller_id bigint, set_ids uuid[], reseller_code text)`,
    [version, JSON.stringify(rows)],
  )
  await tx.query(
    `select append_facts(
       p_source => 'catalog', p_resellers => $1::bigint[],
       p_subjects => array_fill($2::bigint, array[cardinality($1::bigint[])]), p_codes => null, p_amounts => null,
       p_balances => null, p_spans => $3::integer[], p_type => null, p_data => null, p_at => clock_timestamp())`,
    [accounts.map(({ resellerId }) => resellerId), version, accounts.map(({ count }) => count)],
  )
}

type Row = {
  version: bigint
  position: number
  type: EventType
  resource: EventResource
  resource_id: string
  data: Record<string, unknown> | null
  created_at: Date
}

/**
 * Lists events in the order of the changes. Within a change, creations and updates come first, set by set.
 * Deletions follow, from the last set to the first: options before their product, and products before their
 * category.
 */
export async function listAccountEventRows(
  connection: Queryable,
  resellerId: bigint,
  page: { after: { version: bigint; position: number }; limit: number },
): Promise<AccountEvent[]> {
  const { rows } = await connection.query<Row>(
    `select * from (
       select told.version, event.type, event.resource, event.resource_id, told.created_at,
         case event.resource when 'products'
           then event.data || jsonb_build_object('reseller_code', told.reseller_code)
           else event.data end as data,
         row_number() over (
           partition by told.version
           order by event.data is null, case when event.data is null then -part.place else part.place end,
             event.position
         )::integer as position
       from account_catalog_events told
       cross join lateral unnest(told.set_ids) with ordinality as part (set_id, place)
       join catalog_events event on event.version = told.version and event.set_id = part.set_id
       where told.reseller_id = $1 and told.version >= $2
     ) events
     where (version, position) > ($2, $3)
     order by version, position
     limit $4`,
    [resellerId, page.after.version, page.after.position, page.limit],
  )
  return rows.map((row) => ({
    version: row.version,
    position: row.position,
    type: row.type,
    resource: row.resource,
    id: row.resource_id,
    data: row.data,
    createdAt: row.created_at,
  }))
}
