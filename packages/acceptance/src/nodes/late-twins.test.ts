import { Agent } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import { untilKnown } from '../edge.ts'
import type { TcpProxy } from '../faults/tcp-proxy.ts'
import { proxyDatabase } from '../faults/tcp-proxy.ts'
import type { PayBody, Payer } from '../payments.ts'
import {
  countEntries,
  createPayer,
  expectPayment,
  expectRejection,
  payerAt,
  RELOAD_COST,
  reload,
  ringgit,
} from '../payments.ts'
import type { ServiceProcess } from '../service.ts'
import { startService, until } from '../service.ts'

// A request is held on one node while another node tells the client that no such payment exists: the held request must
// create nothing.

const REQUEST_TIMEOUT_SECONDS = 8

let demo: Demo<ServiceProcess>
let proxy: TcpProxy
/** Node that reaches the database through the proxy. */
let slow: ServiceProcess
/** One reseller, at the node that is held and at the other. */
let there: Payer
let here: Payer

beforeAll(async () => {
  demo = await startDemo()
  const { environment } = demo.service
  const proxied = await proxyDatabase(String(environment.DATABASE_URL))
  proxy = proxied.proxy
  const own = Object.entries(environment).filter(
    ([name]) => /^WARUNG_/.test(name) && name !== 'WARUNG_DATA_DIR',
  )
  slow = await startService({
    environment: {
      ...(Object.fromEntries(own) as Record<string, string>),
      DATABASE_URL: proxied.url,
      WARUNG_REQUEST_TIMEOUT_SECONDS: String(REQUEST_TIMEOUT_SECONDS),
    },
  })
})

afterAll(async () => {
  slow?.signal('SIGCONT')
  await demo?.end()
  await proxy?.close()
})

async function connectToDatabase(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: String(demo.service.environment.DATABASE_URL) })
  await client.connect()
  return client
}

async function newPayer(): Promise<void> {
  here = await createPayer(demo.service, '100.00')
  there = payerAt(slow, { ...here.credentials, account: here.account })
  await untilKnown(slow, here.credentials)
}

/** Name of the service's statement that takes payments. */
const STATEMENT = 'payments_take'

/** Sends a request as a client that can hang up. */
function sendAbout(body: PayBody, input: { timestamp?: number } = {}) {
  const agent = new Agent()
  const answer = there.send(body, { agent, timeoutMs: 60_000, ...input }).catch(() => undefined)
  return { answer, hangUp: () => agent.destroy() }
}

/** Proves to the client that the refid is free: the other node rejects an amount that does not exist. */
async function beRejected(body: PayBody, input: { timestamp?: number } = {}): Promise<void> {
  const answer = await here.send({ ...body, amount: 0.01 }, input)
  expectRejection(answer, { code: 58, remarks: 'Invalid_Denomination' })
}

/** Waits until the node takes a payment. It takes payments in order, so the held ones before it are decided. */
async function payAfterwards(): Promise<void> {
  await until('the node takes payments again', async () => {
    const body = reload()
    const answer = await there.send(body)
    if (answer.status === 503) return false
    expectPayment(answer, body)
    return true
  })
}

/** Expects the deposit and the payments that the test knows, and nothing else. */
async function expectPaid(payments: number): Promise<void> {
  expect(await here.balance()).toBe(ringgit(100 - payments * RELOAD_COST))
  expect(await countEntries(demo.service, here.account)).toBe(1 + payments)
}

describe('a statement that is held on the wire', () => {
  it('creates nothing when its client has given up and was told by another node that nothing exists', async () => {
    await newPayer()
    const body = reload()
    proxy.pause('to_server')
    try {
      const client = sendAbout(body)
      await until('it is on the wire', async () => proxy.holds('to_server', STATEMENT))
      client.hangUp()
      await client.answer
      await beRejected(body)
    } finally {
      proxy.resume('to_server')
    }
    await payAfterwards()
    await expectPaid(1)
    await here.untilStatus(body, 'Succesful')
    await expectPaid(2)
  })

  it('creates nothing when it arrives after its client was told that the time is over', async () => {
    await newPayer()
    const body = reload()
    proxy.pause('to_server')
    try {
      const client = sendAbout(body)
      await until('it is on the wire', async () => proxy.holds('to_server', STATEMENT))
      expect((await client.answer)?.status).toBe(504)
    } finally {
      proxy.resume('to_server')
    }
    await payAfterwards()
    await expectPaid(1)
  })

  it('a statement whose answer is lost is done once', async () => {
    await newPayer()
    const body = reload()
    proxy.pause('to_client')
    const client = sendAbout(body)
    try {
      await until('it is committed', async () => (await here.balance()) !== 100)
      proxy.cut()
    } finally {
      proxy.resume('to_client')
    }
    expect([200, 503, 504]).toContain((await client.answer)?.status)
    await here.pay(body)
    await expectPaid(1)
  })
})

describe('a node that is frozen', () => {
  it('creates nothing when it wakes up, for a client that has given up and was told that nothing exists', async () => {
    await newPayer()
    const body = reload()
    slow.signal('SIGSTOP')
    try {
      const client = sendAbout(body)
      await beRejected(body)
      client.hangUp()
      await client.answer
    } finally {
      slow.signal('SIGCONT')
    }
    await payAfterwards()
    await expectPaid(1)
  })

  it('answers 49 when it wakes up, to a client that still waits and has signed before the rejection', async () => {
    await newPayer()
    const body = reload()
    let client: ReturnType<typeof sendAbout>
    slow.signal('SIGSTOP')
    try {
      client = sendAbout(body, { timestamp: Math.floor(Date.now() / 1_000) - 2 })
      await beRejected(body)
    } finally {
      slow.signal('SIGCONT')
    }
    const answer = await client.answer
    if (answer === undefined) throw new Error('the client was not answered')
    expectRejection(answer, { code: 49, remarks: 'Temporary_Error_Please_Try_Again' })
    await expectPaid(0)
    await there.pay(body)
    await expectPaid(1)
  })
})

describe('requests that a frozen node finds when it wakes up', () => {
  it('are older than a rejection that was decided meanwhile, in the same second of signing too', async () => {
    await newPayer()
    const body = reload()
    const timestamp = Math.floor(Date.now() / 1_000)
    const frozenMs = performance.now()
    let client: ReturnType<typeof sendAbout>
    slow.signal('SIGSTOP')
    try {
      client = sendAbout(body, { timestamp })
      await beRejected(body, { timestamp })
      await until(
        'the node stood still for longer than a pause',
        async () => performance.now() > frozenMs + 600,
      )
    } finally {
      slow.signal('SIGCONT')
    }
    const answer = await client.answer
    if (answer === undefined) throw new Error('the client was not answered')
    expectRejection(answer, { code: 49, remarks: 'Temporary_Error_Please_Try_Again' })
    await expectPaid(0)
    // A client that has its answer sends a new attempt, to the same node and in the same second of signing.
    expectPayment(await there.send(body, { timestamp }), body)
    await expectPaid(1)
  })
})

describe('a client that fixes what was wrong', () => {
  it('pays with the same refid at once, at either node and in the same second', async () => {
    await newPayer()
    for (const [first, second] of [
      [here, there],
      [there, here],
      [here, here],
      [there, there],
    ] as const) {
      const body = reload()
      expectRejection(await first.send({ ...body, amount: 0.01 }), {
        code: 58,
        remarks: 'Invalid_Denomination',
      })
      await second.pay(body)
    }
    await expectPaid(4)
  })
})

describe('a wallet that somebody holds in the database', () => {
  /** Locks the wallet until the connection rolls back. */
  async function holdWallet(account: string): Promise<pg.Client> {
    const database = await connectToDatabase()
    await database.query('begin')
    await database.query(
      'select from wallets where reseller_id = (select id from resellers where account = $1) for update',
      [account],
    )
    return database
  }

  /** Runs `work` while statements wait for a wallet longer than in service, where they are set aside and tried again. */
  async function whileStatementsWait(work: (admin: pg.Client) => Promise<void>): Promise<void> {
    const admin = await connectToDatabase()
    await admin.query(`alter function lock_wallets(bigint[]) set lock_timeout = '60s'`)
    try {
      await work(admin)
    } finally {
      await admin.query(`alter function lock_wallets(bigint[]) set lock_timeout = '250ms'`)
      await admin.end()
    }
  }

  function untilWaiting(admin: pg.Client, count: number): Promise<boolean> {
    return until(`${count} statements wait for the wallet`, async () => {
      const { rows } = await admin.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
            and query like '%take_payments%' and pid <> pg_backend_pid()`,
      )
      return rows.length >= count
    })
  }

  it('gives nothing to a payment that gets it only after its client was told that the time is over', async () => {
    await newPayer()
    await whileStatementsWait(async (admin) => {
      const holder = await holdWallet(here.account)
      const client = sendAbout(reload())
      try {
        await untilWaiting(admin, 1)
        expect((await client.answer)?.status).toBe(504)
      } finally {
        await holder.query('rollback')
        await holder.end()
      }
    })
    await payAfterwards()
    await expectPaid(1)
  })

  it('is asked for one payment by two nodes that both found its refid free', async () => {
    await newPayer()
    const body = reload()
    const answers: ReturnType<Payer['send']>[] = []
    await whileStatementsWait(async (admin) => {
      const holder = await holdWallet(here.account)
      try {
        answers.push(here.send(body), there.send(body))
        await untilWaiting(admin, 2)
      } finally {
        await holder.query('rollback')
        await holder.end()
      }
    })
    const [one, other] = (await Promise.all(answers)).map((answer) => expectPayment(answer, body))
    expect(other?.transaction_id).toBe(one?.transaction_id)
    await expectPaid(1)
  })

  it('holds up its own reseller alone: others are paid at the same node meanwhile', async () => {
    await newPayer()
    const other = await createPayer(demo.service, '100.00')
    const database = await holdWallet(here.account)
    const bodies = [reload(), reload()]
    const held = bodies.map((body) => here.send(body))
    let answered = 0
    for (const each of held) void each.then(() => (answered += 1))
    for (let round = 0; round < 5; round += 1) await other.pay(reload())
    expect(answered).toBe(0)
    const refused = await demo.service.tryWarungd(
      'deposit',
      '--reseller',
      here.account,
      '--amount',
      '1.00',
      '--remarks',
      'bank',
    )
    expect(refused.code).not.toBe(0)
    expect(`${refused.stdout}${refused.stderr}`).toContain('Somebody else holds this wallet')
    await database.query('rollback')
    await database.end()
    for (const [index, answer] of (await Promise.all(held)).entries())
      expectPayment(answer, bodies[index] as PayBody)
    await expectPaid(2)
  })
})
