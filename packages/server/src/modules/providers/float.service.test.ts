import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import {
  createScriptedProvider,
  NEVER,
  providersOf,
  UNKNOWN,
} from '../../testing/providers/scripted-provider.ts'
import { createAlerts, listAlerts } from '../alerts/core/service.ts'
import { findFloat, listFloats, watchFloats } from './float.service.ts'
import type { FloatAnswer, Provider } from './port/types.ts'

let test: TestDatabase
let answer: () => Promise<FloatAnswer>
let questions = 0

beforeAll(async () => {
  test = await openTestDatabase()
  await test.database.query(
    `insert into provider_connections (code, kind, name, is_enabled, config, float_alert, version, created_at, updated_at)
     values ('acme', 'http', 'Acme', true, '{}', 1000000, 1, now(), now())`,
  )
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.database.query('truncate provider_floats, provider_float_readings, operator_alerts')
  questions = 0
})

const known = (amount: bigint) => () => Promise.resolve<FloatAnswer>({ kind: 'known', amount })

const acme: Provider = {
  ...createScriptedProvider(UNKNOWN, UNKNOWN, { code: 'acme' }),
  float: {
    readFloat() {
      questions += 1
      return answer()
    },
  },
}
const mute = createScriptedProvider(UNKNOWN, UNKNOWN, { code: 'mute' })

function watch(
  database = test.database,
  change: { pauseMs?: number; timeoutMs?: number; silentMs?: number } = {},
) {
  return watchFloats({
    database,
    providers: providersOf(acme, mute),
    alerts: createAlerts({ database, onRaised: () => {} }),
    pauseMs: 0,
    ...change,
  })
}

const openKinds = async () =>
  (await listAlerts(test.database, { limit: 100, withCleared: false })).map(({ kind }) => kind).sort()

/** Moves every reading and failure that many minutes into the past. */
const age = (minutes: number) =>
  test.database.query(
    `with earlier as (
       update provider_float_readings set at = at - make_interval(mins => $1)
     )
     update provider_floats set failing_since = failing_since - make_interval(mins => $1)`,
    [minutes],
  )

describe('the float of a provider', () => {
  it('is kept as it was last read, and one that cannot say is not asked', async () => {
    answer = known(5_000_000n)
    expect(await watch()).toBe(1)
    expect(await listFloats(test.database)).toMatchObject([
      {
        provider: 'acme',
        amount: 5_000_000n,
        alertBelow: 1_000_000n,
        failingSince: null,
        spentPerHour: null,
      },
    ])
    expect(await openKinds()).toEqual([])
  })

  it('in another currency is kept in it, and only readings of that currency are a rate of trading', async () => {
    answer = known(900_000_000n)
    await watch()
    await age(60)
    answer = () => Promise.resolve({ kind: 'known', amount: 20_000_000n, currency: 'USD' })
    await watch()
    await test.database.query(
      `insert into currency_rates (currency, rate, from_at, reason, set_by) values ('USD', 4.7, now(), 'bank', 'siti')`,
    )
    expect(await findFloat(test.database, 'acme')).toMatchObject({
      amount: 20_000_000n,
      currency: 'USD',
      ringgit: 94_000_000n,
      spentPerHour: null,
    })
    expect(await openKinds()).toEqual([])
    answer = () => Promise.resolve({ kind: 'known', amount: 1n, currency: 'dollars' })
    await watch()
    expect(await findFloat(test.database, 'acme')).toMatchObject({
      trouble: expect.stringContaining('currency'),
    })
  })

  it('is read by one node at a time, and not again before the pause is over', async () => {
    answer = known(5_000_000n)
    const nodes = [test.database, test.openAnother(), test.openAnother()]
    await Promise.all(nodes.map((database) => watch(database, { pauseMs: 600_000 })))
    await watch(test.database, { pauseMs: 600_000 })
    expect(questions).toBe(1)
  })

  it('below its limit is an alert, which goes when it is above again', async () => {
    answer = known(999_999n)
    await watch()
    await watch()
    expect(await openKinds()).toEqual(['float_low'])
    answer = known(1_000_000n)
    await watch()
    expect(await openKinds()).toEqual([])
  })

  it('the float of a provider that trading empties within a day is an alert, which a deposit clears', async () => {
    answer = known(20_000_000n)
    await watch()
    await age(60)
    answer = known(10_000_000n)
    await watch()
    expect(await openKinds()).toEqual(['float_forecast'])
    expect(await findFloat(test.database, 'acme')).toMatchObject({ spentPerHour: expect.any(BigInt) })
    answer = known(900_000_000n)
    await watch()
    expect(await openKinds()).toEqual([])
  })

  it.each<[string, () => Promise<FloatAnswer>]>([
    ['an unknown one', () => Promise.resolve({ kind: 'unknown', reason: 'down' })],
    ['one that breaks', () => Promise.reject(new Error('bug'))],
    ['none in time', () => NEVER],
    ['more than the database can hold', known(2n ** 63n)],
    ['less than the database can hold', known(-(2n ** 63n))],
  ])('without an answer (%s) keeps what was known, and is an alert after a while', async (_, given) => {
    answer = known(5_000_000n)
    await watch()
    answer = given
    await watch(test.database, { timeoutMs: 20 })
    expect(await openKinds()).toEqual([])
    await age(16)
    await watch(test.database, { timeoutMs: 20 })
    expect(await openKinds()).toEqual(['float_unread'])
    expect(await findFloat(test.database, 'acme')).toMatchObject({
      amount: 5_000_000n,
      failingSince: expect.any(Date),
      trouble: expect.any(String),
    })
    answer = known(5_000_000n)
    await watch()
    expect(await openKinds()).toEqual([])
    expect(await findFloat(test.database, 'acme')).toMatchObject({ failingSince: null, trouble: null })
  })
})

it('a removed provider has no alerts any more, and the others keep theirs', async () => {
  const alerts = createAlerts({ database: test.database, onRaised: () => {} })
  for (const kind of ['float_unread', 'float_low', 'float_forecast', 'stock_low'] as const) {
    await alerts.raise({ kind, subject: 'gone', text: 'x' })
  }
  await alerts.raise({ kind: 'float_unread', subject: 'acme', text: 'x' })
  // Its connection exists, though this node cannot create the provider.
  await watchFloats({ database: test.database, providers: providersOf(mute), alerts })
  expect(await openKinds()).toEqual(['float_unread', 'stock_low'])
})
