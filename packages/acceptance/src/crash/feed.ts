import type pg from 'pg'
import { expect } from 'vitest'
import type { Reader } from '../catalog.ts'
import type { FeedEvent } from '../feed.ts'
import { readFeed } from '../feed.ts'
import { credentialsOf } from '../http.ts'
import type { Service } from '../service.ts'
import { until } from '../service.ts'

/** Line that the feed must have: a state that a payment entered, or its movement in the wallet. */
type Line = { id: string; what: string; balance: string | null }

/**
 * Compares the feed with the books: each state of each payment occurs once and in order, and so does each entry of the
 * wallet; nothing else does.
 */
export async function expectCompleteFeed(
  database: pg.Client,
  service: Pick<Service, 'baseUrl'>,
  reseller: Pick<Reader, 'api_key' | 'signing_secret'>,
): Promise<void> {
  const states = await listStates(database)
  const entries = await listEntries(database)
  let events: FeedEvent[] = []
  await until('everything is told', async () => {
    events = await readFeed(service.baseUrl, credentialsOf(reseller), 1_000, events)
    return events.filter(isOfMoney).length >= states.length + entries.length
  })
  expect(events.filter(isOfMoney)).toHaveLength(states.length + entries.length)
  expect(events.flatMap(entryOf)).toEqual(entries)
  // Payments have no order among each other; the states of each one have.
  const byPayment = events
    .flatMap(stateOf)
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : a.id === b.id ? 0 : 1))
  expect(byPayment).toEqual(states)
}

/** Returns true for events about money. The feed also has the catalog that the demo began with. */
function isOfMoney({ type }: FeedEvent): boolean {
  return type.startsWith('payment.') || type.startsWith('balance.')
}

function stateOf({ type, data }: FeedEvent): Line[] {
  if (!type.startsWith('payment.')) return []
  return [{ id: String(data.transaction_id), what: String(data.statusCode), balance: null }]
}

function entryOf({ type, data }: FeedEvent): Line[] {
  if (!type.startsWith('balance.')) return []
  return [{ id: String(data.transactionId), what: type, balance: Number(data.balance).toFixed(4) }]
}

async function listStates(database: pg.Client): Promise<Line[]> {
  const { rows } = await database.query<Line>(
    `select p.id::text, c.code::text as what, null as balance
       from payments p
      cross join lateral (
        select 0::bigint as place, 0 as code
        union all
        select id, code from payment_changes
         where reseller_id = p.reseller_id and payment_id = p.id and kind = 'state'
      ) c
      where p.refid like 'crash-%' order by p.id, c.place`,
  )
  return rows
}

async function listEntries(database: pg.Client): Promise<Line[]> {
  const { rows } = await database.query<Line>(
    `select p.id::text, case t.kind when 'payment' then 'balance.deducted' else 'balance.refunded' end as what,
            round(t.balance_after / 10000.0, 4)::text as balance
       from payments p join transfers t on t.reseller_id = p.reseller_id and t.payment_id = p.id
      where p.refid like 'crash-%' order by t.sequence`,
  )
  return rows
}
