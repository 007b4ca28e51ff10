import { Agent } from 'node:http'
import type pg from 'pg'
import { startDemo } from '../catalog.ts'
import { TRUST_TEST_PROXY } from '../clients.ts'
import { CATALOGUE, importCatalog, signInAs } from '../operator/operators.ts'
import type { Payer } from '../payments.ts'
import { createPayer, reload } from '../payments.ts'
import { dataOf, newMember } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import { slipOf } from '../portal/slips.ts'
import { AUTHORITY } from '../receiver/receiver.ts'
import type { Api } from '../recording.ts'
import type { ServiceProcess } from '../service.ts'
import { connectDatabase } from '../service.ts'
import type { Actors } from './actors.ts'
import { createActors } from './actors.ts'
import type { Pool } from './pool.ts'
import { createPool } from './pool.ts'
import type { Shop } from './recipes/shop.ts'
import { openShop, REFUNDABLE } from './recipes/shop.ts'
import type { FuzzSupplier } from './supplier.ts'
import { FUZZ_PRODUCT, FUZZ_PROVIDER, startFuzzSupplier } from './supplier.ts'

/** Service under test, with everything that requests may be about. */
export type Target = {
  readonly service: ServiceProcess
  readonly database: pg.Client
  readonly actors: Actors
  readonly pools: Readonly<Record<Api, Pool>>
  readonly victim: Payer
  readonly shop: Shop
  readonly blocked: string
  readonly supplier: FuzzSupplier
  /** Keeps connections open: a new one for each request would cost more than most requests. */
  readonly agent: Agent
  close(): Promise<void>
}

/** Product with which the last payment shows that the service still works. No request names it. */
export const KEPT_PRODUCT = 'ZAMRUD'
/** Product that the shop sells. */
const SHOP_PRODUCT = 'NOVA'
const KEPT = [KEPT_PRODUCT, SHOP_PRODUCT, REFUNDABLE, FUZZ_PRODUCT, FUZZ_PROVIDER, 'simulator']

const SETTINGS = {
  ...TRUST_TEST_PROXY,
  WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8',
  WARUNG_OUTBOUND_CA: AUTHORITY,
  // Names of receivers are looked up nowhere: nothing leaves the machine.
  WARUNG_DNS_SERVERS: '127.0.0.1:1',
  WARUNG_RATE_LIMIT: '100000000',
  WARUNG_SIMULATOR_TIMEOUT_SECONDS: '2',
  WARUNG_LEASE_SECONDS: '4',
} as const

const BLOCKED = '203.0.113.77'

export async function openTarget(): Promise<Target> {
  const demo = await startDemo(SETTINGS)
  const { service } = demo
  const database = await connectDatabase(service)
  const victim = await createPayer(service, '100000')
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const supplier = await startFuzzSupplier(service)
  const shop = await openShop(service)
  const kept = new Set([...KEPT, shop.subscriber.account])
  const newPool = () => createPool((value) => kept.has(value))
  const target: Target = {
    service,
    database,
    victim,
    shop,
    blocked: BLOCKED,
    supplier,
    agent,
    actors: createActors(service),
    pools: { reseller: newPool(), portal: newPool(), operator: newPool(), checkout: newPool() },
    async close() {
      agent.destroy()
      supplier.close()
      await database.end()
      await demo.end()
    },
  }
  // Nobody decides about a request that is older than their own account.
  await target.actors.get('operator')
  await seed(target)
  return target
}

const COUNT = 6

/** Makes a few of each thing that operators decide about, by other people than the one who decides. */
async function seed(target: Target): Promise<void> {
  const { service, victim } = target
  const [finance, catalogue] = [await signInAs(service, 'finance'), await signInAs(service, 'catalogue')]
  const member = await newMember(service, victim.account, 'admin')
  await importCatalog(catalogue, CATALOGUE)
  // Operators may change the route of all products; the last payment has one of its own, to the supplier that answers well by then.
  await service.warungd('route', 'set', '--product', KEPT_PRODUCT, '--provider', FUZZ_PROVIDER)
  await service.warungd('provider', 'add', '--code', 'gudang', '--kind', 'stock')
  await service.warungd('route', 'set', '--product', 'KOPI', '--provider', 'gudang')
  await member.send('PUT', '/endpoints/balance', { url: 'https://receiver.example/hook' })
  for (let count = 0; count < COUNT; count += 1) {
    await seedMoney(victim.account, finance, member, count)
    const body = reload()
    await victim.untilStatus(body, 'Succesful')
    await victim.send({ refid: body.refid }, { path: '/v2/transactions/check' })
    await member.send('POST', '/orders', orderOf(`seed-${count}`))
    await service.warungd('key', 'create', '--reseller', victim.account)
    await newMember(service, victim.account, 'viewer')
  }
  await seedRows(target)
}

async function seedMoney(account: string, finance: Browser, member: Browser, count: number): Promise<void> {
  const asked = { account, amount: `${count + 1}.00`, remarks: 'bank', reason: 'seen' }
  dataOf(await finance.send('POST', '/deposits', asked))
  dataOf(await member.send('POST', '/deposit-requests', slipOf(`FUZZ-${count}`)))
}

function orderOf(reference: string): object {
  const items = [{ product_code: 'NOVA', amount: '10.00', account: '60123456789', quantity: 1 }]
  return { reference, user_id: 'u-1', return_url: 'https://shop.example/return', items }
}

/** Makes rows of things that only happen to a service in trouble. */
async function seedRows({ database, blocked }: Target): Promise<void> {
  await database.query(
    `insert into address_blocks (address, blocked_at, blocked_until, requests)
     values ($1, now(), now() + interval '1 day', 30001)`,
    [blocked],
  )
  await database.query(
    `insert into operator_alerts (kind, subject, text, severity, raised_at, last_seen_at, times)
     select 'float_low', 'FUZZ' || number, 'low', 'warning', now(), now(), 1
       from generate_series(1, $1::int) as number`,
    [COUNT],
  )
}
