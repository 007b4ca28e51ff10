import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '../cli/main.ts'
import { readConfig } from '../config.ts'
import type { DatabaseClock } from '../db/clock.ts'
import { openDatabaseClock } from '../db/clock.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/database.ts'
import { openVault } from '../db/vault.ts'
import { createMetrics } from '../http/metrics.ts'
import type { Operation, OperationInput } from '../http/operation.ts'
import { generateMasterKey } from '../lib/secrets/sealing.ts'
import { createReseller } from '../modules/accounts/service.ts'
import type { PayResult } from '../modules/payments/take/service.ts'
import type { Runtime } from '../runtime.ts'
import { openRuntime } from '../runtime.ts'
import { sampleReseller } from '../testing/accounts.ts'
import { onServer } from '../testing/cluster.ts'
import { urlOf } from '../testing/database.ts'
import type { Life } from '../testing/payments/payment-lives.ts'
import { startProcessWithProviders } from '../testing/payments/payment-lives.ts'
import type { PaymentsBench } from '../testing/payments/payments.ts'
import { LATER, NO_EXTRAS, newRefid, openPaymentsBench, until } from '../testing/payments/payments.ts'
import { createScriptedProvider, providersOf, SUCCEEDED } from '../testing/providers/scripted-provider.ts'
import type { ReplicatedServer } from '../testing/standby.ts'
import { startReplicated } from '../testing/standby.ts'
import { setSynchronousStandby, untilCommitsWait } from '../testing/synchronous-commits.ts'
import { listOperations } from './operations.ts'
import { memberOperations } from './portal.ts'
import type { Services } from './services.ts'
import { closeMoney, closeServices, openServices } from './services.ts'

// The service beside a primary and its standby, as a cluster has them: which reads the standby answers, and what a
// payment is told when the standby is lost under its commit. The test has servers of its own.

const masterKey = generateMasterKey()
/** Time for a busy machine. Nothing waits longer than it needs. */
const PATIENT_MS = 120_000

let server: ReplicatedServer
let env: Record<string, string>
let runtime: Runtime

beforeAll(async () => {
  server = await startReplicated()
  const addressOf = ({ host, port, user, password, database }: ReplicatedServer['primary']) =>
    urlOf(
      { host: String(host), port: Number(port), user: String(user), password: String(password) },
      String(database),
    )
  env = {
    DATABASE_URL: addressOf(server.primary),
    DATABASE_READ_URL: addressOf(server.standby),
    WARUNG_MASTER_KEY: masterKey.bytes.toString('base64'),
    WARUNG_DEMO: 'none',
  }
  runtime = await openRuntime(readConfig(env), { purpose: 'serve' })
}, 300_000)

afterAll(async () => {
  await runtime?.close()
  await server?.close()
})

describe('a payment, with a standby that every commit waits for', () => {
  const APPLICATION = 'payments beside a standby'
  const provider = createScriptedProvider(SUCCEEDED)
  let database: Database
  let clock: DatabaseClock
  let bench: PaymentsBench
  let life: Life
  let resellerId: bigint

  beforeAll(async () => {
    database = openDatabase({
      connection: server.primary,
      connectionsMax: 4,
      applicationName: APPLICATION,
      statementMs: 1_000,
    })
    clock = await openDatabaseClock(database)
    const vault = await openVault(database, [masterKey])
    bench = await openPaymentsBench({
      database,
      vault,
      masterKey,
      connection: server.primary,
      url: '',
      openAnother: () => database,
      close: async () => {},
    })
    resellerId = await bench.newReseller(1_000_000n)
    life = startProcessWithProviders(bench, clock, providersOf(provider))
  })

  afterAll(async () => {
    await setSynchronousStandby(server.primary, '')
    await life?.recovery.stop()
    clock?.close()
    await database?.close()
  })

  /** Cancels one wait of the service for the standby, as an impatient operator does. */
  async function cancelOneWait(): Promise<void> {
    await onServer(server.primary, (client) =>
      until('a commit waits for the standby', async () => {
        const { rowCount } = await client.query(
          `select pg_cancel_backend(pid) from pg_stat_activity
            where wait_event = 'SyncRep' and application_name = $1 limit 1`,
          [APPLICATION],
        )
        return rowCount === 1
      }),
    )
  }

  /** Looks past the service, whose reads wait for the standby as well. */
  async function isInPrimary(refid: string): Promise<boolean> {
    return onServer(server.primary, async (client) => {
      const { rowCount } = await client.query('select from payments where refid = $1', [refid])
      return rowCount === 1
    })
  }

  function pay(refid: string): Promise<PayResult> {
    return life.payments.pay({
      caller: {
        reseller: sampleReseller({ id: resellerId }),
        kind: 'key',
        memberId: '1',
        scopes: new Set(['pay']),
      },
      request: {
        refid,
        product: 'KITA',
        account: '60129001000',
        amount: 100_000n,
        remarks: '',
        extras: NO_EXTRAS,
        problems: {},
      },
      sender: '203.0.113.7',
      deadlineMs: LATER,
    })
  }

  it('is uncertain (504) when the standby dies and the wait for it is cancelled; asked again, it is there once', async () => {
    await setSynchronousStandby(server.primary, 'standby')
    // The standby answers to this name: a payment is acknowledged with it.
    expect(await pay(newRefid())).toMatchObject({ kind: 'payment' })
    await until('its order is answered', () => life.dispatcher.underway === 0)
    const sent = provider.submitted.length
    await server.stopStandby()
    await untilCommitsWait(server.primary)
    const refid = newRefid()
    const answer = pay(refid).catch((reason: unknown) => reason)
    await cancelOneWait()
    expect(await answer).toMatchObject({ status: 504, code: 'uncertain_outcome' })
    // The payment is in the primary alone, so nothing was sent for it.
    expect(await isInPrimary(refid)).toBe(true)
    expect(provider.submitted).toHaveLength(sent)
    await server.startStandby()
    const again = await until('the service answers again', () => pay(refid).catch(() => undefined))
    expect(again).toMatchObject({ kind: 'payment', payment: { refid } })
    expect((await bench.refidsOf(resellerId)).filter((each) => each === refid)).toHaveLength(1)
  }, 300_000)
})

describe('with DATABASE_READ_URL', () => {
  let services: Services
  let operations: Operation[]
  let caller: unknown

  beforeAll(async () => {
    const { config, database, vault } = runtime
    const logger = pino({ level: 'silent' })
    services = await openServices(runtime, logger, createMetrics(), (path) => path)
    const unused = undefined as never
    operations = [
      // Nothing is decided here.
      ...memberOperations(config, services, { world: {} } as never, unused, () => 'http://localhost'),
      ...listOperations({
        config,
        services,
        authenticate: () => unused,
        recognize: unused,
        now: () => new Date(),
        problems: unused,
        baseUrl: () => 'http://localhost',
      }),
    ]
    const { id, account, name } = await createReseller(
      { database, vault, environment: 'staging' },
      { name: 'Kedai Baca', email: 'baca@example.com', priceLevel: 'STANDARD' },
    )
    caller = { kind: 'member', role: 'admin', reseller: { id, account, name }, scopes: new Set() }
  }, 300_000)

  afterAll(async () => {
    await closeMoney(services)
    await closeServices(services)
  })

  /** Asks an operation as a caller who has proven who he is, and reads its answer to the end. */
  async function ask(operationId: string, query: object = {}): Promise<number> {
    const found = operations.find(({ docs }) => docs.operationId === operationId)
    if (found === undefined) throw new Error(`no operation ${operationId}`)
    const request = { id: randomUUID(), headers: {}, isAwaited: () => true, deadlineMs: LATER }
    const input = { caller, query, params: {}, body: undefined, request, confirm: async () => {} }
    const { status, body } = await found.handle(input as never as OperationInput<never, never, never, never>)
    if (body !== null && Symbol.asyncIterator in body) {
      for await (const piece of body as AsyncIterable<Buffer>) void piece
    }
    return status
  }

  const DAYS = { date: '2026-01-01 - 2026-01-02', limit: '10' }

  it.each([
    ['GET /v2/transactions', 'listTransactions', DAYS],
    ['GET /v2/balance-statement', 'getBalanceStatement', DAYS],
    ["the portal's list of payments", 'portalListPayments', {}],
    ["the portal's totals of payments", 'portalSumPayments', {}],
    ["the portal's file of payments", 'portalExportPayments', {}],
    ["the portal's statement", 'portalGetStatement', {}],
    ["the portal's file of the statement", 'portalExportStatement', {}],
    ["the portal's sums of months", 'portalListMonths', {}],
    ['the statement of a month', 'portalListDays', { month: '2026-01' }],
    ['the file of a month', 'portalExportMonth', { month: '2026-01' }],
    ['the document of a month', 'portalPrintMonth', { month: '2026-01' }],
  ])('%s is answered by the standby', async (_, operationId, query) => {
    const before = runtime.reader.counts.standby
    // A standby that is behind for a moment lets the primary answer.
    await until(
      'the standby answers',
      async () => {
        expect(await ask(operationId, query)).toBe(200)
        return runtime.reader.counts.standby > before
      },
      PATIENT_MS,
    )
  })

  it.each(['getBalance', 'portalGetBalance'])('%s is never answered by the standby', async (operationId) => {
    const { standby, primary } = runtime.reader.counts
    expect(await ask(operationId)).toBe(200)
    expect(runtime.reader.counts).toEqual({ standby, primary })
  })

  it('doctor says whether the standby answers', async () => {
    const standbyLine = async () => {
      let out = ''
      const io = {
        out: (text: string) => {
          out += text
        },
        err: () => {},
        readInput: async () => '',
      }
      await main(['doctor', '--json'], io, env)
      const { checks } = JSON.parse(out) as { checks: { check: string; state: string; text: string }[] }
      return checks.find(({ check }) => check === 'standby')
    }
    await until('it has everything', async () => (await standbyLine())?.state === 'ok', PATIENT_MS)
    expect((await standbyLine())?.text).toContain('it answers lists, statements and files')
    await server.stopStandby()
    expect(await standbyLine()).toMatchObject({
      state: 'warn',
      text: expect.stringContaining('the primary answers all reads'),
    })
  })
})
