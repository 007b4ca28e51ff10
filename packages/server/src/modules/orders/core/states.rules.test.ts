import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createReseller } from '../../accounts/service.ts'
import { eventTypeOf, isFinal, isOpen, lineStatus, mayMove } from './states.rules.ts'
import { ORDER_STATES } from './types.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const CONFIRMED = `('confirmed', 'completed', 'partially_completed', 'failed')`
const FINAL = `('completed', 'partially_completed', 'failed', 'cancelled', 'timeout')`

/** Tries every move on rows of its own, and returns those that the database admits. */
async function movesOfDatabase(): Promise<string[]> {
  const { database, vault } = test
  const accounts = { database, vault, environment: 'staging' } as const
  const { id } = await createReseller(accounts, { name: 'K', email: 'k@example.com', priceLevel: 'STANDARD' })
  await database.query('create table admitted (move text)')
  await database.query(`
    do $$
    declare v_from text; v_to text;
    begin
      for v_from, v_to in
        select f, t from unnest(array['${ORDER_STATES.join("','")}']) f, unnest(array['${ORDER_STATES.join("','")}']) t
         where f <> t
      loop
        insert into orders (reseller_id, code, reference, user_id, state, sealed_request, token_digest, sealed_token,
          return_url, is_fixed, language, shows_results, total, created_at, expires_at, payment_reference,
          confirmed_at, completed_at)
        values (${id}, v_from || v_to, v_from || v_to, 'u', v_from, '', '', '', '', true, 'en', false, 0, now(), now(),
          case when v_from in ${CONFIRMED} then 'p' end, case when v_from in ${CONFIRMED} then now() end,
          case when v_from in ${FINAL} then now() end);
        begin
          update orders set state = v_to,
            payment_reference = case when v_to in ${CONFIRMED} then 'p' end,
            confirmed_at = case when v_to in ${CONFIRMED} then now() end,
            completed_at = case when v_to in ${FINAL} then now() end
           where code = v_from || v_to;
          insert into admitted values (v_from || ' ' || v_to);
        exception when raise_exception then null;
        end;
      end loop;
    end $$`)
  const { rows } = await database.query<{ move: string }>('select move from admitted')
  return rows.map(({ move }) => move)
}

it('the database admits exactly the moves of the table', async () => {
  const allowed = ORDER_STATES.flatMap((from) =>
    ORDER_STATES.filter((to) => mayMove(from, to)).map((to) => `${from} ${to}`),
  )
  expect((await movesOfDatabase()).toSorted()).toEqual(allowed.toSorted())
})

it('an order is open until it is confirmed or ends, and a final one never moves', () => {
  expect(ORDER_STATES.filter(isOpen)).toEqual(['draft', 'awaiting_payment'])
  expect(ORDER_STATES.filter(isFinal)).toEqual([
    'completed',
    'partially_completed',
    'failed',
    'cancelled',
    'timeout',
  ])
})

it('every final state has its event', () => {
  expect(ORDER_STATES.filter(isFinal).map(eventTypeOf)).toEqual([
    'order.completed',
    'order.completed',
    'order.completed',
    'order.cancelled',
    'order.timeout',
  ])
})

it.each([
  [[], 'pending'],
  [['waiting', 'succeeded'], 'processing'],
  [['sent'], 'processing'],
  [['succeeded', 'succeeded'], 'succeeded'],
  [['succeeded', 'failed'], 'partially_succeeded'],
  [['failed'], 'failed'],
] as const)('a line with units %j is %s', (states, status) => {
  expect(lineStatus(states)).toBe(status)
})
