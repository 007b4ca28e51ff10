import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Env } from '../../../config.ts'
import type { Reseller } from '../../../modules/accounts/types.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertDelivery, insertEndpoint, newReseller } from '../../../testing/events/deliveries.ts'
import { main } from '../../main.ts'

let test: TestDatabase
let dataDir: string
let env: Env

beforeAll(async () => {
  test = await openTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'warung-deliveries-'))
  env = {
    DATABASE_URL: test.url,
    WARUNG_MASTER_KEY: test.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: dataDir,
  }
})

afterAll(async () => {
  await test.close()
  await rm(dataDir, { recursive: true, force: true })
})

async function run<T = Record<string, unknown>>(...args: string[]): Promise<{ code: number; document: T }> {
  let out = ''
  const io = {
    out: (text: string) => {
      out += text
    },
    err: () => {},
    readInput: async () => '',
  }
  const code = await main([...args, '--json'], io, env)
  return { code, document: JSON.parse(out) as T }
}

function of({ account }: Reseller, stream = 'balance'): string[] {
  return ['--reseller', account, '--stream', stream]
}

describe('endpoint', () => {
  it('shows all but the secret and the query of the URL', async () => {
    const reseller = await newReseller(test)
    await insertEndpoint(test.database, reseller.id, { url: 'https://shop.example/hook?token=sesame' })
    const { code, document } = await run('endpoint', 'show', ...of(reseller))
    expect(code).toBe(0)
    expect(document).toMatchObject({
      account: reseller.account,
      stream: 'balance',
      method: 'POST',
      url: 'https://shop.example/hook?…',
      enabled: true,
      types: ['balance.added'],
      secret_last_four: 'abc=',
      pending: 0,
    })
    expect(JSON.stringify(document)).not.toContain('sesame')
    const { code: missing } = await run('endpoint', 'show', ...of(reseller, 'catalog'))
    expect(missing).not.toBe(0)
  })

  it('list finds those of one state, longest failing first', async () => {
    const [late, early, well] = [await newReseller(test), await newReseller(test), await newReseller(test)]
    for (const { id } of [late, early, well]) await insertEndpoint(test.database, id, { stream: 'catalog' })
    for (const [{ id }, days] of [
      [late, 1],
      [early, 2],
    ] as const) {
      await test.database.query(
        `update event_endpoints set failing_since = now() - make_interval(days => $2) where reseller_id = $1`,
        [id, days],
      )
    }
    const failing = ['endpoint', 'list', '--state', 'failing', '--stream', 'catalog']
    const { document } = await run<{ endpoints: { account: string }[] }>(...failing)
    expect(document.endpoints.map(({ account }) => account)).toEqual([early.account, late.account])
    const one = await run<{ endpoints: unknown[] }>('endpoint', 'list', '--reseller', well.account)
    expect(one.document.endpoints).toHaveLength(1)
    expect((await run('endpoint', 'list', '--state', 'well')).code).not.toBe(0)
  })

  it('pause and resume change what is sent, and never for callbacks', async () => {
    const reseller = await newReseller(test)
    await insertEndpoint(test.database, reseller.id)
    await insertEndpoint(test.database, reseller.id, { stream: 'callback' })
    const paused = await run('endpoint', 'pause', ...of(reseller))
    expect(paused.document).toMatchObject({ enabled: true, paused_at: expect.stringMatching(/Z$/) })
    expect((await run('endpoint', 'pause', ...of(reseller))).document).toEqual(paused.document)
    const resumed = await run('endpoint', 'resume', ...of(reseller))
    expect(resumed.document).toMatchObject({ enabled: true, paused_at: null })
    expect((await run('endpoint', 'pause', ...of(reseller, 'callback'))).code).not.toBe(0)
    expect((await run('endpoint', 'pause', ...of(reseller, 'catalog'))).code).not.toBe(0)
    const target = ['--target', `${reseller.account}/balance`]
    const { document } = await run<{ records: unknown[] }>('audit', 'list', ...target)
    expect(document.records).toMatchObject([
      { action: 'endpoint.resume', before: { paused_at: expect.any(String) }, after: { paused_at: null } },
      { action: 'endpoint.pause' },
      { action: 'endpoint.pause', before: { paused_at: null }, after: { paused_at: expect.any(String) } },
    ])
  })
})

describe('delivery', () => {
  it('list and show leave out what was sent and what was answered', async () => {
    const reseller = await newReseller(test)
    const attempts = [
      { at: '2026-03-01T00:00:00.000Z', ms: 5, status: 500, error: 'The receiver answered 500' },
    ]
    const id = await insertDelivery(test, reseller.id, { attempts, response: 'PIN 1234' })
    await insertDelivery(test, reseller.id, { status: 'success' })
    type Page = { deliveries: { id: string }[]; cursor: string | null }
    const failed = await run<Page>('delivery', 'list', ...of(reseller), '--status', 'failed')
    expect(failed.document.deliveries.map((each) => each.id)).toEqual([id])
    const first = await run<Page>('delivery', 'list', ...of(reseller), '--limit', '1')
    const next = ['--cursor', first.document.cursor ?? '']
    const second = await run<Page>('delivery', 'list', ...of(reseller), '--limit', '1', ...next)
    expect(second.document).toMatchObject({ deliveries: [{ id }], cursor: null })
    const shown = await run('delivery', 'show', ...of(reseller), '--id', id)
    expect(shown.document).toMatchObject({ id, status: 'failed', attempts: [{ responseStatusCode: 500 }] })
    for (const { document } of [failed, shown]) {
      expect(JSON.stringify(document)).not.toMatch(/1234|payload|balance\.low/i)
    }
  })

  it('replay queues it again, which the queue shows', async () => {
    const reseller = await newReseller(test)
    await insertEndpoint(test.database, reseller.id)
    const failedMs = Date.parse('2026-03-01T00:00:00Z')
    const id = await insertDelivery(test, reseller.id, { createdMs: failedMs })
    const replayed = await run('delivery', 'replay', ...of(reseller), '--id', id)
    expect(replayed).toMatchObject({ code: 0, document: { originalJobId: id } })
    const pendingMs = Date.parse('2026-03-02T12:34:56.789Z')
    await insertDelivery(test, reseller.id, { createdMs: pendingMs, status: 'pending' })
    const { document } = await run<{ queues: { account: string }[] }>('delivery', 'queue')
    expect(document.queues.filter(({ account }) => account === reseller.account)).toEqual([
      {
        account: reseller.account,
        stream: 'balance',
        pending: 2,
        oldest_at: '2026-03-02T12:34:56.789Z',
        next_attempt_at: '2026-03-02T12:34:56.789Z',
        being_sent: false,
      },
    ])
    expect((await run('delivery', 'replay', ...of(reseller), '--id', 'nonsense')).code).not.toBe(0)
  })
})
