import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import type { Answer } from '../http.ts'
import type { Network } from '../network.ts'
import { openNetwork } from '../network.ts'
import type { PayBody, Payer, PaymentData } from '../payments.ts'
import { countEntries, createPayer, payerAt, RELOAD_COST, reload } from '../payments.ts'
import type { Service } from '../service.ts'
import { connectDatabase, startService, until } from '../service.ts'
import { startSimulator } from '../simulator.ts'

let demo: Demo
let network: Network
let node: Service

beforeAll(async () => {
  // The provider is a separate process, which knows an order whichever node queries it. A busy machine may need seconds
  // to reach it, and a payment whose provider cannot be reached fails.
  const simulator = await startSimulator()
  demo = await startDemo({
    WARUNG_SIMULATOR_URL: simulator.url,
    WARUNG_SIMULATOR_TIMEOUT_SECONDS: '4',
    WARUNG_LEASE_SECONDS: '8',
  })
  const { WARUNG_DATA_DIR: _, ...environment } = demo.service.environment
  const kept = Object.entries(environment).filter(([name]) => name.startsWith('WARUNG_'))
  network = await openNetwork(String(demo.service.environment.DATABASE_URL))
  node = await startService({
    environment: {
      ...(Object.fromEntries(kept) as Record<string, string>),
      DATABASE_URL: network.url,
      WARUNG_DATABASE_STATEMENT_SECONDS: '1',
    },
  })
})

afterAll(async () => {
  network?.recover()
  await demo?.end()
  await network?.close()
})

/** Makes a payer whose payments go through the node behind the network, and whose wallet is read at another node. */
async function createPayers(): Promise<{ payer: Payer; beside: Payer }> {
  const beside = await createPayer(demo.service, '1000')
  const payer = payerAt(node, { ...beside.credentials, account: beside.account })
  // The same payment is sent each time: one whose answer was lost is not made twice.
  const body = reload()
  await until('the node knows the reseller', async () => (await payer.send(body)).status === 200)
  return { payer, beside }
}

const readiness = () => node.get('/readyz')

async function untilReady(): Promise<void> {
  await until('the node is ready', async () => (await readiness()).status === 200)
}

/**
 * Expects each payment to be taken once, whatever its client was told: all are there when sent again, and the wallet
 * agrees.
 */
async function expectTakenOnce(payer: Payer, beside: Payer, bodies: readonly PayBody[], before: number) {
  for (const body of bodies) {
    // A statement of this node may take a second at most: on a busy machine it is tried again.
    const answer = await until<Answer>('the node answers', async () => {
      const each = await payer.send(body)
      return each.status < 500 && each
    })
    expect(answer.status, answer.text).toBe(200)
    const { transaction_id } = answer.json<{ data: PaymentData }>().data
    const ended = await beside.untilStatus(body, 'Succesful')
    expect(ended.transaction_id).toBe(transaction_id)
  }
  expect(await beside.balance()).toBeCloseTo(before - bodies.length * RELOAD_COST, 4)
  await countEntries(demo.service, beside.account)
}

describe('when the connections of a node to its database fall silent', () => {
  it('payments go on, on other connections, and each is taken once', async () => {
    const { payer, beside } = await createPayers()
    await until('the first is paid', async () => (await beside.balance()) === 1_000 - RELOAD_COST)
    const before = await beside.balance()
    const bodies = Array.from({ length: 8 }, () => reload())
    network.fallSilent()
    const answers = await Promise.all(bodies.map((body) => payer.send(body)))
    expect(answers.filter(({ status }) => status >= 400 && status < 500).map(({ text }) => text)).toEqual([])
    await untilReady()
    await expectTakenOnce(payer, beside, bodies, before)
  })

  it('the node says that it is not ready while nothing is committed, and why, and is ready afterwards', async () => {
    const { payer, beside } = await createPayers()
    await until('the first is paid', async () => (await beside.balance()) === 1_000 - RELOAD_COST)
    const before = await beside.balance()
    network.fallSilent({ alsoNew: true })
    const bodies = Array.from({ length: 4 }, () => reload())
    const sent = Promise.all(bodies.map((body) => payer.send(body)))
    const refused = await until<Answer>('the node is not ready', async () => {
      const answer = await readiness()
      return answer.status === 503 && answer
    })
    const { problems } = refused.json<{ problems: string[] }>()
    expect(problems.length).toBeGreaterThan(0)
    expect((await node.get('/healthz')).status).toBe(200)
    // No client is told that its payment was rejected, because it is not known if it was taken.
    for (const { status, text } of await sent) expect(status, text).toBeGreaterThanOrEqual(500)
    expect((await readiness()).status).toBe(503)
    network.recover()
    await untilReady()
    await expectTakenOnce(payer, beside, bodies, before)
  })
})

describe('a database without room on its disk', () => {
  /** Lets the database refuse new payments, and new files, as a full disk does. Returns what makes room again. */
  async function fillDisk(): Promise<() => Promise<void>> {
    const database = await connectDatabase(demo.service)
    await database.query(`
      create function refuse_room() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
      end $$;
      create function refuse_files() returns event_trigger language plpgsql as $$ begin
        raise exception 'could not create file: No space left on device' using errcode = 'disk_full';
      end $$;
      create trigger no_room before insert on payments execute function refuse_room();
      create event trigger no_files on ddl_command_start execute function refuse_files();`)
    return async () => {
      await database.query('alter event trigger no_files disable')
      await database.query(`
        drop event trigger no_files; drop trigger no_room on payments;
        drop function refuse_files(); drop function refuse_room();`)
      await database.end()
    }
  }

  it('answers payments with 503, is not ready, and pays each once when it has room again', async () => {
    const payer = await createPayer(demo.service, '1000')
    const bodies = Array.from({ length: 20 }, () => reload())
    await payer.pay(reload())
    const makeRoom = await fillDisk()
    try {
      const answers = await Promise.all(bodies.map((body) => payer.send(body)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
      const ready = await demo.service.get('/readyz')
      expect(ready.status).toBe(503)
      expect(ready.text).toContain('the database has no room on its disk')
    } finally {
      await makeRoom()
    }
    await until('the node is ready', async () => (await demo.service.get('/readyz')).status === 200)
    for (const body of bodies) await payer.pay(body)
    // A deposit and 21 payments.
    expect(await countEntries(demo.service, payer.account)).toBe(22)
  })
})
