import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { signed } from '../http.ts'
import type { Payer } from '../payments.ts'
import { createPayer, expectRejection, reload } from '../payments.ts'
import { runWarungd, until } from '../service.ts'
import { countStock, loadPins, newPins, OUT_OF_STOCK, pinSale, sellFromStock, writePins } from './stock.ts'

const PINS = 10_000
const CONNECTIONS = 50
const TOO_MANY = 200
/** Time limit for a busy machine; a quiet one needs a few seconds. */
const GIVE_UP_MS = 300_000

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await openDemo({ WARUNG_RATE_EXEMPT: '127.0.0.1/32' })
  payer = await createPayer(demo.service, '200000')
  await sellFromStock(demo.service, payer)
})
afterAll(() => demo.end())

it('an empty shelf is out of stock, whatever is in the wallet, and other products go on', async () => {
  const body = pinSale()
  expectRejection(await payer.send(body), OUT_OF_STOCK)
  const poor = await createPayer(demo.service, null)
  expectRejection(await poor.send(pinSale()), OUT_OF_STOCK)
  await payer.untilStatus(reload(), 'Succesful')
  // The refid is still free: it is taken as soon as there is something to sell.
  const [pin = ''] = newPins(1)
  await loadPins(demo.service, [pin])
  expectRejection(await poor.send(pinSale()), { code: 43, remarks: 'Insufficient_Balance' })
  expect(await payer.untilStatus(body, 'Succesful')).toMatchObject({
    pin,
    sn: `SN-${pin}`,
    expiry: '20991231',
  })
  expectRejection(await payer.send(pinSale()), OUT_OF_STOCK)
  expect((await payer.pay(body)).pin).toBe(pin)
  expect(demo.service.output()).not.toContain(pin)
})

it('ten thousand PINs over fifty connections: each is sold once, all are sold, and the rest are told so', {
  timeout: GIVE_UP_MS,
}, async () => {
  const pins = newPins(PINS)
  const before = await countStock(demo.service)
  await loadPins(demo.service, pins)
  const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const bodies = Array.from({ length: PINS + TOO_MANY }, () => pinSale())
  const taken: (typeof bodies)[number][] = []
  let refused = 0
  const waiting = bodies.values()
  await Promise.all(
    agents.map(async (agent) => {
      for (const body of waiting) {
        const answer = await payer.send(body, { agent })
        if (answer.status === 200) taken.push(body)
        else {
          expectRejection(answer, OUT_OF_STOCK)
          refused += 1
        }
      }
      agent.destroy()
    }),
  )
  expect([taken.length, refused]).toEqual([PINS, TOO_MANY])

  const sold = await until('all are fulfilled', () => listPins(taken.length), GIVE_UP_MS)
  expect(sold.length).toBe(PINS)
  expect(new Set(sold)).toEqual(new Set(pins))
  expect(await countStock(demo.service)).toEqual({ ...before, sold: before.sold + PINS })
})

const PAGE = 1_000

/** Lists the newest PINs from the reseller's history; undefined while some are not fulfilled. */
async function listPins(count: number): Promise<string[] | undefined> {
  const pins: string[] = []
  while (pins.length < count) {
    const path = `/v2/transactions?limit=${PAGE}&offset=${pins.length}&product=PINTEN&date=${lastDays()}`
    const answer = await signed(demo.service.baseUrl, payer.credentials, { path })
    expect(answer.status, answer.text).toBe(200)
    const { data } = answer.json<{ data: { pin: string; status_name: string }[] }>()
    if (data.length === 0 || data.some(({ status_name }) => status_name === 'Pending')) return undefined
    pins.push(...data.map(({ pin }) => pin))
  }
  return pins.slice(0, count)
}

/** Returns two days, because a test may begin before midnight and end after it. */
function lastDays(): string {
  const [today, yesterday] = [0, 86_400_000].map((ms) =>
    new Date(Date.now() + 8 * 3_600_000 - ms).toISOString().slice(0, 10),
  )
  return encodeURIComponent(`${yesterday} - ${today}`)
}

it('items that are loaded twice, or wrong, are refused line by line without showing a PIN', async () => {
  const [good = '', bad = ''] = newPins(2)
  await loadPins(demo.service, [good])
  const file = await writePins([bad, good, bad])
  const args = ['stock', 'load', '--product', 'PINTEN', '--denomination', '10', '--file', file]
  const before = await countStock(demo.service)
  const { code, stdout, stderr } = await runWarungd(demo.service.environment, args)
  expect(code).toBe(1)
  expect(stderr).toMatch(/pins\.csv:3: was loaded before, with batch \d+ of PINTEN/)
  expect(stderr).toMatch(/pins\.csv:4: is the same PIN or link as on line 2/)
  for (const pin of [good, bad]) expect(stdout + stderr).not.toContain(pin)
  expect(await countStock(demo.service)).toEqual(before)
})
