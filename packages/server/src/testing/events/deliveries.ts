import type { Queryable } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { createReseller } from '../../modules/accounts/service.ts'
import type { Reseller } from '../../modules/accounts/types.ts'
import { sealResponse } from '../../modules/events/endpoints/secrets.service.ts'
import type { Stream } from '../../modules/events/types.ts'
import type { TestDatabase } from '../database.ts'

// Deliveries and endpoints as the sequencer, the engine and the owner write them, for tests of the code that reads
// them.

export function newReseller(test: TestDatabase): Promise<Reseller> {
  const wanted = { name: 'Kedai Hantar', email: 'hantar@example.com', priceLevel: 'STANDARD' }
  return createReseller({ ...test, environment: 'staging' }, wanted)
}

export type NewEndpoint = {
  stream?: Stream
  url?: string
  method?: 'GET' | 'POST'
  isEnabled?: boolean
  isPaused?: boolean
}

export async function insertEndpoint(
  connection: Queryable,
  resellerId: bigint,
  { stream = 'balance', url = 'https://shop.example/now', method = 'POST', ...state }: NewEndpoint = {},
): Promise<void> {
  await connection.query(
    `insert into event_endpoints (reseller_id, stream, url, method, is_enabled, types, sealed_secret, secret_last_four,
                                  secret_created_at, paused_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, '{balance.added}', '', 'abc=', now(), case when $6 then now() end, now(), now())`,
    [resellerId, stream, url, method, state.isEnabled ?? true, state.isPaused ?? false],
  )
}

export type NewDelivery = {
  stream?: Stream
  status?: 'pending' | 'success' | 'failed' | 'superseded'
  /** Milliseconds since 1970; by default the present. */
  createdMs?: number
  eventId?: string
  /** Number of the replay, if the delivery is one. */
  replayNumber?: number
  source?: 'entry' | 'own' | 'test'
  type?: string
  data?: object
  method?: 'GET' | 'POST'
  attempts?: readonly { at: string; ms: number; status: number; error: string }[]
  responseStatus?: number
  response?: string
}

let made = 0

/** Inserts a delivery and returns its id. By default it has its own event (a low balance). */
export async function insertDelivery(
  { database, vault }: { database: Queryable; vault: Vault },
  resellerId: bigint,
  wanted: NewDelivery = {},
): Promise<string> {
  made += 1
  const { stream = 'balance', status = 'failed', attempts = [], source = 'own' } = wanted
  const createdAt = new Date(wanted.createdMs ?? Date.now())
  const { rows } = await database.query<{ id: string }>('select new_delivery_id($1, $2) as id', [
    createdAt,
    made,
  ])
  const id = rows[0]?.id
  if (id === undefined) throw new Error('there is no new id')
  await database.query(
    `insert into deliveries (reseller_id, stream, id, event_id, source, subject, type, data, at, status, attempts,
                             attempts_made, error, response_status, sealed_response, url, method, created_at,
                             completed_at, replay_number)
     values ($1, $2, $3, $4, $5, 0, $6, $7, $8::timestamptz, $9::text, $10, $11, $12, $13, $14, 'https://shop.example/then', $15, $8::timestamptz,
             case when $9::text <> 'pending' then $8::timestamptz end, $16)`,
    [
      resellerId,
      stream,
      id,
      wanted.eventId ?? `evt_${resellerId}_${made}`,
      source,
      wanted.type ?? 'balance.low',
      wanted.data ?? { threshold: 1_000_000, balance: 500_000 },
      createdAt,
      status,
      JSON.stringify(attempts),
      attempts.length,
      status === 'failed' ? 'The receiver answered 500' : '',
      wanted.responseStatus ?? 0,
      sealResponse(vault, resellerId, id, wanted.response ?? ''),
      wanted.method ?? 'POST',
      wanted.replayNumber ?? 0,
    ],
  )
  if (status === 'pending') {
    await database.query(
      'insert into delivery_work (reseller_id, stream, next_at, delivery_id) values ($1, $2, $3, $4)',
      [resellerId, stream, createdAt, id],
    )
  }
  return id
}
