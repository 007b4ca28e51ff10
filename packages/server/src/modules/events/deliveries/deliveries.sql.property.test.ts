import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { runs } from '../../../testing/runs.ts'
import type { EventRef } from '../types.ts'
import { attemptsMaxOf, retryMsAfter } from './attempt.rules.ts'
import { recordResults } from './deliveries.sql.ts'
import type { DueDelivery, Result } from './deliveries.types.ts'

// Recorded results against a model: in any order, by any node, and repeated.

const DELIVERIES = 3
const RUNS = runs(30)

type State = 'pending' | 'success' | 'failed' | 'superseded'
type Model = { state: State; attempts: Set<string>; facts: number }

/** One node's report about one delivery; the same report may come again. */
type Report = { delivery: number; outcome: Result['outcome']; isSent: boolean; at: number; isStale: boolean }
type Step = { kind: 'record'; reports: Report[] } | { kind: 'advance' }

const report: fc.Arbitrary<Report> = fc.record({
  delivery: fc.nat(DELIVERIES - 1),
  outcome: fc.constantFrom('success', 'retry', 'retry', 'retry', 'failed', 'superseded'),
  isSent: fc.boolean(),
  // Draws from few instants, so that the same attempt is often recorded again.
  at: fc.nat(6),
  isStale: fc.boolean(),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('record' as const),
      reports: fc.uniqueArray(report, {
        selector: ({ delivery }) => delivery,
        minLength: 1,
        maxLength: DELIVERIES,
      }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'advance' as const }) },
)

let test: TestDatabase
let resellers = 0n

beforeAll(async () => {
  test = await openTestDatabase()
  // Accounts are of no interest here.
  await test.database.query('alter table event_endpoints drop constraint event_endpoints_reseller_id_fkey')
})
afterAll(() => test.close())

type Row = {
  id: string
  status: State
  attempts_made: number
  attempts: unknown[]
  completed_at: Date | null
}

async function prepare(): Promise<{ resellerId: bigint; deliveries: DueDelivery[] }> {
  resellers += 1n
  const resellerId = resellers
  const ids = Array.from({ length: DELIVERIES }, () => randomUUID())
  await test.database.query(
    `insert into event_endpoints (reseller_id, stream, url, method, is_enabled, sealed_secret, secret_last_four,
                                  secret_created_at, created_at, updated_at)
     values ($1, 'balance', 'https://a.example/', 'POST', true, '', '', now(), now(), now())`,
    [resellerId],
  )
  await test.database.query(
    `insert into deliveries (reseller_id, stream, id, event_id, source, subject, at, status, url, method, created_at)
     select $1, 'balance', id, event_id($1, place), 'entry', 1, now(), 'pending', 'https://a.example/', 'POST',
            now() from unnest($2::uuid[]) with ordinality as given (id, place)`,
    [resellerId, ids],
  )
  await test.database.query(
    `insert into delivery_work (reseller_id, stream, next_at, delivery_id)
     select $1, 'balance', now(), id from unnest($2::uuid[]) as id`,
    [resellerId, ids],
  )
  await test.database.query(
    `insert into delivery_lanes (reseller_id, stream, next_at) values ($1, 'balance', now())`,
    [resellerId],
  )
  const ref = { source: 'entry', eventId: `evt_${resellerId}_1` } as EventRef
  const deliveries = ids.map((id) => ({
    resellerId,
    stream: 'balance' as const,
    id,
    ref,
    attemptsMade: 0,
    isReplay: false,
    workAt: '-infinity',
    advancedMs: 0n,
  }))
  return { resellerId, deliveries }
}

async function workOf(resellerId: bigint): Promise<Map<string, string>> {
  const { rows } = await test.database.query<{ delivery_id: string; next_at: string }>(
    'select delivery_id, next_at::text as next_at from delivery_work where reseller_id = $1',
    [resellerId],
  )
  return new Map(rows.map((row) => [row.delivery_id, row.next_at]))
}

function toResult(delivery: DueDelivery, { outcome, isSent, at }: Report): Result {
  const isAttempt = outcome === 'success' || (isSent && outcome !== 'superseded')
  return {
    delivery,
    outcome,
    attemptsMax: attemptsMaxOf('balance', false),
    retryMs: retryMsAfter('balance', 1),
    isTest: false,
    error: outcome === 'success' ? '' : 'It did not arrive',
    attempt: isAttempt
      ? {
          at: new Date(at * 1_000),
          ms: 1,
          status: outcome === 'success' ? 200 : 500,
          sealedResponse: null,
          url: 'https://a.example/',
          method: 'POST',
        }
      : undefined,
  }
}

function apply(model: Model, { outcome, attempt, attemptsMax }: Result): void {
  if (model.state !== 'pending') return
  if (attempt !== undefined) {
    const key = `${attempt.at.getTime()} ${attempt.status} ${outcome === 'success'}`
    if (model.attempts.has(key)) return
    model.attempts.add(key)
  }
  const isLast = model.attempts.size + (attempt === undefined ? 1 : 0) >= attemptsMax
  if (outcome !== 'retry') model.state = outcome
  else if (isLast) model.state = 'failed'
  if (model.state === 'failed') model.facts += 1
}

it('results in any order, repeated, late or of a lost lane leave one true record', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { resellerId, deliveries } = await prepare()
      const models = deliveries.map((): Model => ({ state: 'pending', attempts: new Set(), facts: 0 }))
      for (const each of steps) {
        if (each.kind === 'advance') {
          await test.database.query('select advance_deliveries($1, 60)', [resellerId])
          continue
        }
        const work = await workOf(resellerId)
        const results = each.reports.map((said) => {
          const delivery = deliveries[said.delivery] as DueDelivery
          const workAt = said.isStale ? '2020-01-01 00:00:00+00' : (work.get(delivery.id) ?? '-infinity')
          return toResult({ ...delivery, workAt }, said)
        })
        await recordResults(test.database, results)
        // Records them again, as after a lost connection that leaves it open whether they were committed.
        const again = results.filter(isIdempotent)
        if (again.length > 0) {
          expect(await recordResults(test.database, again)).toEqual(again.map(() => null))
        }
        for (const result of results) {
          apply(models[deliveries.findIndex(({ id }) => id === result.delivery.id)] as Model, result)
        }
        await expectModel(resellerId, deliveries, models)
      }
    }),
    { numRuns: RUNS },
  )
})

/** A retry without an attempt cannot be recognised when it is repeated; a second, slightly longer wait does no harm. */
function isIdempotent({ outcome, attempt }: Result): boolean {
  return outcome !== 'retry' || attempt !== undefined
}

async function expectModel(
  resellerId: bigint,
  deliveries: readonly DueDelivery[],
  models: readonly Model[],
): Promise<void> {
  const { rows } = await test.database.query<Row>(
    'select id, status, attempts_made, attempts, completed_at from deliveries where reseller_id = $1',
    [resellerId],
  )
  const work = await workOf(resellerId)
  const { rows: facts } = await test.database.query<{ id: string }>(
    `select data ->> 'jobId' as id from event_facts where type = 'delivery.failed' and $1 = any (reseller_ids)`,
    [resellerId],
  )
  for (const [index, { id }] of deliveries.entries()) {
    const row = rows.find((each) => each.id === id)
    const model = models[index] as Model
    expect(row).toMatchObject({ status: model.state, attempts_made: model.attempts.size })
    expect(row?.attempts).toHaveLength(model.attempts.size)
    expect(row?.attempts_made).toBeLessThanOrEqual(attemptsMaxOf('balance', false))
    expect(work.has(id)).toBe(model.state === 'pending')
    expect(row?.completed_at === null).toBe(model.state === 'pending')
    expect(facts.filter((fact) => fact.id === id)).toHaveLength(model.facts)
  }
}
