import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import type { PayBody, Payer, PaymentData } from '../payments.ts'
import { createPayer, payerAt } from '../payments.ts'
import type { Service, ServiceProcess } from '../service.ts'
import { startService, until } from '../service.ts'
import { countStock, loadPins, newPins, pinSale, sellFromStock } from './stock.ts'

// A service that kills itself while it sells PINs, and its successor: a sold PIN stays sold, to the same payment.

const PINS = 300
const CLIENTS = 6

let demo: Demo<ServiceProcess>
let database: pg.Client
let credentials: Payer['credentials'] & { account: string }
let pins: string[]
/** Every sale that was ever sent, by refid. */
const asked = new Map<unknown, PayBody>()
const sold = new Map<unknown, string>()

beforeAll(async () => {
  demo = await startDemo({ WARUNG_LEASE_SECONDS: '3', WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1' })
  const payer = await createPayer(demo.service, '5000')
  credentials = { ...payer.credentials, account: payer.account }
  await sellFromStock(demo.service, payer)
  pins = newPins(PINS)
  await loadPins(demo.service, pins)
  await demo.service.kill9()
  database = new pg.Client({ connectionString: String(demo.service.environment.DATABASE_URL) })
  await database.connect()
})
afterAll(async () => {
  await database.end()
  await demo.end()
})

function start(settings: Record<string, string> = {}): Promise<ServiceProcess> {
  const { environment, dataDir } = demo.service
  const kept = Object.entries(environment).filter(([name]) => /^(WARUNG_|DATABASE_URL$)/.test(name))
  return startService({
    dataDir,
    environment: { ...(Object.fromEntries(kept) as Record<string, string>), ...settings },
  })
}

it.each([
  'intake.before:3',
  'intake.committed:3',
  'dispatch.before:3',
  'dispatch.sent:3',
  'resolve.before:3',
])('a process that dies at %s has sold each PIN once, and loses none', async (failpoint) => {
  const dying = await start({ WARUNG_FAILPOINT: failpoint })
  await Promise.all(Array.from({ length: CLIENTS }, () => buyUntilDead(payerAt(dying, credentials))))
  expect((await dying.ended).signal).toBe('SIGKILL')

  const service = await start()
  await untilAllSold(payerAt(service, credentials))
  await expectBooksAgree(service)
  expect(await service.warungd('ledger', 'verify')).toMatchObject({ ok: true })
  await service.kill9()
})

it('after all of that, every PIN that was loaded was sold, and then there is none', async () => {
  const service = await start()
  const payer = payerAt(service, credentials)
  const left = PINS - asked.size
  expect(left).toBeGreaterThan(0)
  const bodies = Array.from({ length: left }, () => pinSale())
  for (const body of bodies) asked.set(body.refid, body)
  await untilAllSold(payer)
  expect((await payer.send(pinSale())).status).toBe(400)
  expect([...sold.values()].sort()).toEqual([...pins].sort())
  expect(await countStock(service)).toMatchObject({ free: 0, sold: PINS, spent: 0 })
})

async function buyUntilDead(payer: Payer): Promise<void> {
  for (;;) {
    const body = pinSale()
    asked.set(body.refid, body)
    const answer = await payer.send(body).catch(() => undefined)
    if (answer === undefined) return
    expect(answer.status, answer.text).toBe(200)
  }
}

/** Sends every body again until it has its PIN, and expects the same PIN after that. */
async function untilAllSold(payer: Payer): Promise<void> {
  const open = new Map(asked)
  await until('every sale is final', async () => {
    const answers: PaymentData[] = []
    for (const bodies of groupsOf([...open.values()], CLIENTS)) {
      answers.push(...(await Promise.all(bodies.map((body) => payer.pay(body)))))
    }
    for (const { refid, status, pin } of answers) {
      expect(status).not.toBe('Failed')
      if (status !== 'Succesful') continue
      expect(sold.get(refid) ?? pin).toBe(pin)
      sold.set(refid, pin)
      open.delete(refid)
    }
    return open.size === 0
  })
}

function groupsOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )
}

/** Expects the clients' PINs, our payments and the shelf to agree. */
async function expectBooksAgree(service: Service): Promise<void> {
  expect(new Set(sold.values()).size).toBe(asked.size)
  for (const pin of sold.values()) expect(pins).toContain(pin)
  const { rows } = await database.query(
    `select p.refid, count(i.id)::int as items
       from payments p left join stock_items i on i.payment_id = p.id and i.reseller_id = p.reseller_id
      where p.provider = 'shelf' group by p.reseller_id, p.id`,
  )
  expect(rows.map(({ refid }) => refid).sort()).toEqual([...asked.keys()].sort())
  expect(rows.filter(({ items }) => items !== 1)).toEqual([])
  expect(await countStock(service)).toMatchObject({ free: PINS - asked.size, sold: asked.size, spent: 0 })
}
