import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RequestError } from '../../../lib/errors.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createApiKey, listApiKeys } from '../../accounts/keys.service.ts'
import { createReseller } from '../../accounts/service.ts'
import { firstIdAt } from './request-log.rules.ts'
import type { RequestJournal } from './request-log.service.ts'
import {
  findFirstSignedCall,
  forgetRequests,
  listLoggedRequests,
  openRequestJournal,
} from './request-log.service.ts'
import type { RequestFilter } from './request-log.types.ts'

const WEEK_MS = 7 * 24 * 3_600_000
const NOW_MS = 1_800_000_000_000

let test: TestDatabase
let journal: RequestJournal
let nowMs: number
let problems: unknown[]

beforeEach(async () => {
  test = await openTestDatabase()
  nowMs = NOW_MS
  problems = []
  journal = open(20)
})
afterEach(async () => {
  await journal.close()
  await test.close()
})

function open(everyMs: number): RequestJournal {
  return openRequestJournal({
    database: test.database,
    vault: test.vault,
    nowMs: () => nowMs,
    onProblem: (error) => problems.push(error),
    writeEveryMs: everyMs,
    forgetEveryMs: everyMs,
  })
}

function line(changes: Record<string, string | number> = {}) {
  const request = { request_id: randomUUID(), method: 'GET', route: '/v2/balance', status: 200 }
  return { ...request, duration_ms: 1.5, address: '192.0.2.1', reseller: '1000001', ...changes }
}

function kept(account = '1000001', changes: Partial<RequestFilter> = {}) {
  const filter = { fromId: 0n, untilId: firstIdAt(NOW_MS * 2), failedOnly: false, error: null, limit: 1_000 }
  return listLoggedRequests(test.database, account, { ...filter, ...changes })
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error('gave up waiting')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('the journal', () => {
  it('writes when a key was last used, at most once a minute, and not for a refused signature', async () => {
    const accounts = { ...test, environment: 'staging' as const }
    const owner = { name: 'Kedai', email: 'kedai@example.com', priceLevel: 'STANDARD' }
    const reseller = await createReseller(accounts, owner)
    const [used, other] = [
      await createApiKey(accounts, reseller.id, {}),
      await createApiKey(accounts, reseller.id, {}),
    ]
    const take = (keyId: bigint, changes = {}) =>
      journal.take(line({ reseller: reseller.account, key_id: String(keyId), ...changes }), undefined)
    const read = async () => {
      const keys = await listApiKeys(test.database, reseller.id)
      return [used, other].map(({ id }) => keys.find((each) => each.id === id)?.lastUsedAt?.getTime())
    }
    take(used.id)
    take(other.id, { status: 401 })
    take(999_999n)
    await until(async () => (await read())[0] === NOW_MS)
    nowMs += 59_000
    take(used.id)
    take(other.id, { status: 403 })
    await until(async () => (await read())[1] === NOW_MS + 59_000)
    expect(await read()).toEqual([NOW_MS, NOW_MS + 59_000])
    nowMs += 1_000
    take(used.id)
    await until(async () => (await read())[0] === NOW_MS + 60_000)
    expect(problems).toEqual([])
  })

  it('keeps what the caller was told, and never what only the log may read', async () => {
    const error = new RequestError({
      status: 401,
      code: 'invalid_token',
      publicText: 'Told',
      internalText: 'a secret reason',
    })
    journal.take(line({ status: 401, key_id: '7', detail: 'a secret reason' }), error)
    await until(async () => (await kept()).length === 1)
    const rows = await kept()
    expect(rows).toMatchObject([{ status: 401, error: 'invalid_token', message: 'Told', keyId: '7' }])
    expect(
      JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('secret')
  })

  it('has only requests to the reseller API, of callers who are known', async () => {
    const { reseller: _, ...nobody } = line()
    journal.take(nobody, undefined)
    journal.take(line({ route: '/portal/v1/overview' }), undefined)
    journal.take(line(), undefined)
    await journal.close()
    expect(await kept()).toHaveLength(1)
  })

  it('is bounded for each account, says what it left out, and is not used up by another account', async () => {
    for (let n = 0; n < 1_000; n += 1) journal.take(line(), undefined)
    journal.take(line({ reseller: '1000002' }), undefined)
    nowMs += 1_000
    journal.take(line(), undefined)
    await journal.close()
    const rows = await kept()
    expect(rows.length).toBeLessThan(50)
    expect(rows.length + rows.reduce((sum, row) => sum + row.skipped, 0)).toBe(1_001)
    expect(await kept('1000002')).toHaveLength(1)
  })

  it('forgets what is older than a week, and nothing else', async () => {
    journal.take(line(), undefined)
    nowMs += WEEK_MS - 1_000
    journal.take(line({ route: '/v2/catalog' }), undefined)
    await until(async () => (await kept()).length === 2)
    nowMs += 2_000
    await until(async () => (await kept()).length === 1)
    expect(await kept()).toMatchObject([{ route: '/v2/catalog' }])
  })

  it('forgets all that is too old in one go, however much it is', async () => {
    for (let n = 0; n < 50; n += 1) {
      journal.take(line(), undefined)
      nowMs += 1_000
    }
    await journal.close()
    expect(await kept()).toHaveLength(50)
    await forgetRequests(test.database, NOW_MS + WEEK_MS + 49_000, () => false, 2)
    expect(await kept()).toHaveLength(1)
  })

  it('finds what failed, and one error among it', async () => {
    const refused = (code: string) => new RequestError({ status: 401, code, publicText: code })
    journal.take(line(), undefined)
    journal.take(line({ status: 400 }), undefined)
    journal.take(line({ status: 401 }), refused('invalid_signature'))
    journal.take(line({ status: 401 }), refused('nonce_reused'))
    await journal.close()
    const found = async (changes: { failedOnly?: boolean; error?: string }) =>
      (await kept('1000001', changes)).map(({ error, status }) => error ?? status).sort()
    expect(await found({})).toEqual([200, 400, 'invalid_signature', 'nonce_reused'])
    expect(await found({ failedOnly: true })).toEqual([400, 'invalid_signature', 'nonce_reused'])
    expect(await found({ error: 'nonce_reused' })).toEqual(['nonce_reused'])
  })

  it('has a way to failures and to errors that passes by everything else', async () => {
    await test.database.query(
      `insert into request_log (account, id, request_id, method, route, status, duration_ms, address)
       select 'busy', n, gen_random_uuid(), 'GET', '/v2/balance', 200, 1, '192.0.2.1' from generate_series(1, 5000) n`,
    )
    await test.database.query('vacuum analyze request_log')
    for (const [condition, index] of [
      ['status >= 400', 'request_log_failed'],
      ["error = 'invalid_signature'", 'request_log_errors'],
    ]) {
      const { rows } = await test.database.query<{ 'QUERY PLAN': string }>(
        `explain select * from request_log where account = 'busy' and id >= 0 and id < 9999 and ${condition}
          order by id desc limit 50`,
      )
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index)
    }
  })

  it('survives a database that cannot be written, and goes on afterwards', async () => {
    await test.database.query('alter table request_log rename to elsewhere')
    journal.take(line(), undefined)
    await until(async () => problems.length > 0)
    await test.database.query('alter table elsewhere rename to request_log')
    nowMs += 1_000
    journal.take(line(), undefined)
    await until(async () => (await kept()).length === 1)
  })
})

it('the first signed request that was answered well is remembered, and no refused one', async () => {
  const first = () => findFirstSignedCall(test.database, '1000001')
  journal.take(
    line({ status: 401, key_id: '1' }),
    new RequestError({ status: 401, code: 'x', publicText: 'x' }),
  )
  journal.take(line({ user_id: '1' }), undefined)
  await until(async () => (await kept()).length === 2)
  expect(await first()).toBeNull()
  journal.take(line({ key_id: '1' }), undefined)
  await until(async () => (await first()) !== null)
  expect(await first()).toEqual(new Date(NOW_MS))
  nowMs = NOW_MS + 60_000
  journal.take(line({ key_id: '1' }), undefined)
  await until(async () => (await kept()).length === 4)
  expect(await first()).toEqual(new Date(NOW_MS))
})
