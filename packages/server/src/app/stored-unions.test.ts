import { afterAll, beforeAll, expect, it } from 'vitest'
import { PLACE_STATES } from '../db/moves/place.ts'
import { OPERATOR_ROLES, USER_ROLES } from '../modules/accounts/types.ts'
import { SEVERITIES } from '../modules/alerts/core/types.ts'
import { MAIL_STATUSES } from '../modules/alerts/mail/mail.types.ts'
import { MAIL_LANGUAGES } from '../modules/alerts/words/types.ts'
import { ACTOR_KINDS } from '../modules/audit/types.ts'
import { CASE_KINDS, CASE_STATES } from '../modules/cases/types.ts'
import { PROCESSING_TIMES } from '../modules/catalog/model/types.ts'
import { CATALOG_LANGUAGES } from '../modules/catalog/texts/rules.ts'
import { DEPOSIT_STATES, SLIP_KINDS } from '../modules/deposits/types.ts'
import { ENDPOINT_METHODS } from '../modules/events/endpoints/endpoints.types.ts'
import { catalogTypes, feedResponse } from '../modules/events/feed/feed.schemas.ts'
import {
  BALANCE_EVENT_TYPES,
  ORDER_EVENT_TYPES,
  OWN_EVENT_TYPES,
  PAYMENT_EVENT_TYPES,
  STREAMS,
} from '../modules/events/types.ts'
import { STOP_OUTCOMES } from '../modules/grants/types.ts'
import { NOTICE_TARGETS } from '../modules/network/types.ts'
import { PROPOSAL_KINDS, PROPOSAL_STATES, SYNC_STATES } from '../modules/offers/types.ts'
import { LANGUAGES, ORDER_STATES, UNIT_STATES } from '../modules/orders/core/types.ts'
import { PART_KINDS } from '../modules/payments/reports/parts.types.ts'
import { INTERVALS, SCHEDULE_STATES, STOP_REASONS } from '../modules/payments/schedules/types.ts'
import { REFUSAL_OUTCOMES } from '../modules/providers/health/health.types.ts'
import { PERSON_KINDS } from '../modules/sessions/people/people.types.ts'
import { CHALLENGE_PURPOSES } from '../modules/sessions/second-factor/passkeys.types.ts'
import { LINE_STATES } from '../modules/settlement/types.ts'
import { MOVEMENT_KINDS } from '../modules/tills/types.ts'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { EVENT_CONTENTS } from './event-documents.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

/** Values that the check constraints of a column admit. */
async function valuesOf(table: string, column: string): Promise<string[]> {
  const { rows } = await test.database.query<{ text: string }>(
    `select pg_get_constraintdef(c.oid) as text from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attname = $2
      where c.conrelid = $1::regclass and c.contype = 'c' and c.conkey = array[a.attnum]`,
    [table, column],
  )
  return rows.flatMap(({ text }) => [...text.matchAll(/'([^']+)'::text/g)].map(([, value = '']) => value))
}

it.each<[table: string, column: string, values: readonly string[]]>([
  ['group_place', 'state', PLACE_STATES],
  ['operators', 'role', OPERATOR_ROLES],
  ['operator_tokens', 'role', OPERATOR_ROLES],
  ['users', 'role', USER_ROLES],
  ['shift_movements', 'kind', MOVEMENT_KINDS],
  ['sessions', 'kind', PERSON_KINDS],
  ['passkeys', 'kind', PERSON_KINDS],
  ['passkey_challenges', 'purpose', CHALLENGE_PURPOSES],
  ['approval_stops', 'outcome', STOP_OUTCOMES],
  ['deposit_requests', 'state', DEPOSIT_STATES],
  ['deposit_requests', 'slip_kind', SLIP_KINDS],
  ['audit_log', 'actor_kind', ACTOR_KINDS],
  ['event_endpoints', 'stream', STREAMS],
  ['event_endpoints', 'method', ENDPOINT_METHODS],
  ['payment_rollup_parts', 'kind', PART_KINDS],
  ['catalog_products', 'processing_time', PROCESSING_TIMES],
  ['catalog_texts', 'language', CATALOG_LANGUAGES],
  ['mail_languages', 'language', MAIL_LANGUAGES],
  ['network_notices', 'target_kind', NOTICE_TARGETS],
  ['provider_refusals', 'outcome', REFUSAL_OUTCOMES],
  ['offer_syncs', 'state', SYNC_STATES],
  ['offer_proposals', 'kind', PROPOSAL_KINDS],
  ['offer_proposals', 'state', PROPOSAL_STATES],
  ['cases', 'kind', CASE_KINDS],
  ['cases', 'state', CASE_STATES],
  ['orders', 'state', ORDER_STATES],
  ['orders', 'language', LANGUAGES],
  ['order_units', 'state', UNIT_STATES],
  ['batch_schedules', 'every', INTERVALS],
  ['batch_schedules', 'state', SCHEDULE_STATES],
  ['batch_schedules', 'reason', STOP_REASONS],
  ['settlement_lines', 'state', LINE_STATES],
  ['mails', 'status', MAIL_STATUSES],
  ['operator_alerts', 'severity', SEVERITIES],
])('%s.%s can hold every value of its union, and no other', async (table, column, values) => {
  expect((await valuesOf(table, column)).toSorted()).toEqual([...values].toSorted())
})

/** Types of events that are spelt in the functions of the database whose text holds `part`. */
async function typesIn(part: string): Promise<string[]> {
  const { rows } = await test.database.query<{ text: string }>(
    `select prosrc as text from pg_proc
      where pronamespace = current_schema()::regnamespace and position($1 in proname || ' ' || prosrc) > 0`,
    [part],
  )
  const types = rows.flatMap(({ text }) =>
    [...text.matchAll(/'([a-z]+\.[a-z]+)'/g)].map(([, type = '']) => type),
  )
  return [...new Set(types)]
}

it('the database knows every type of the balance stream, and no other', async () => {
  expect((await typesIn('balance_event_type ')).toSorted()).toEqual([...BALANCE_EVENT_TYPES].toSorted())
})

it('every event that the database appends by itself is one of the own events', async () => {
  const types = await typesIn("p_source => 'own'")
  expect(types).toContain('delivery.failed')
  const known: readonly string[] = OWN_EVENT_TYPES
  expect(types.filter((type) => !known.includes(type))).toEqual([])
})

it('every event that the database appends for an order is one of the order events', async () => {
  expect((await typesIn("p_source => 'order'")).toSorted()).toEqual([...ORDER_EVENT_TYPES].toSorted())
})

it('the sequencer decides for every stream by its name which events it delivers', async () => {
  const { rows } = await test.database.query<{ text: string }>(
    `select prosrc as text from pg_proc where proname = 'sequence_facts'`,
  )
  const [, cases = ''] = /case e\.stream(.*?)\bend\b/s.exec(rows[0]?.text ?? '') ?? []
  const named = [...cases.matchAll(/when '(\w+)'/g)].map(([, stream = '']) => stream)
  expect(named.toSorted()).toEqual([...STREAMS].toSorted())
  expect(cases).not.toContain('else')
})

it('every event of the feed has a schema in the document, and is listed', () => {
  const document = JSON.stringify(feedResponse(EVENT_CONTENTS))
  const listed: readonly string[] = [
    ...[...PAYMENT_EVENT_TYPES, ...BALANCE_EVENT_TYPES, ...OWN_EVENT_TYPES, ...ORDER_EVENT_TYPES],
    ...(['product', 'option', 'category', 'group'] as const).flatMap(catalogTypes),
  ]
  const described = [...document.matchAll(/"const":"([a-z]+\.[a-z]+)"/g)].map(([, type = '']) => type)
  expect([...new Set(described)].toSorted()).toEqual([...new Set([...listed, 'event.expired'])].toSorted())
})
