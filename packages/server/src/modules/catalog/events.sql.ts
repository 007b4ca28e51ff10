import type { Queryable, Tx } from '../../db/database.ts'
import type { CatalogEvent, EventResource, EventType } from './changes.types.ts'

/** The events of one change for accounts that see the same; writing it again changes nothing. */
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
  readonly setId: string
}

export async function insertAccountEvents(
  tx: Tx,
  version: bigint,
  accounts: readonly AccountEvents[],
): Promise<void> {
  await tx.query(
    `insert into account_catalog_events (reseller_id, version, set_id, reseller_code)
     select reseller_id, $1, set_id, reseller_code
     from unnest($2::bigint[], $3::uuid[], $4::text[]) as given (reseller_id, set_id, reseller_code)`,
    [
      version,
      accounts.map((account) => account.resellerId),
      accounts.map((account) => account.setId),
      accounts.map((account) => account.resellerCode),
    ],
  )
}

/** An event as its account gets it. */
export type AccountEvent = {
  readonly version: bigint
  readonly position: number
  readonly type: EventType
  readonly resource: EventResource
  readonly id: string
  readonly data: Readonly<Record<string, unknown>> | null
  readonly createdAt: Date
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

/** In the order of what happened. */
export async function listAccountEventRows(
  connection: Queryable,
  resellerId: bigint,
  page: { after: { version: bigint; position: number }; limit: number },
): Promise<AccountEvent[]> {
  const { rows } = await connection.query<Row>(
    `select told.version, event.position, event.type, event.resource, event.resource_id, told.created_at,
       case event.resource when 'products'
         then event.data || jsonb_build_object('reseller_code', told.reseller_code)
         else event.data end as data
     from account_catalog_events told
     join catalog_events event on event.version = told.version and event.set_id = told.set_id
     where told.reseller_id = $1 and (told.version, event.position) > ($2, $3)
     order by told.version, event.position
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
