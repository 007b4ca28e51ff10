import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo, DemoNode, Reader } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import type { Payer } from '../../payments.ts'
import { createPayer, reload } from '../../payments.ts'
import { makeDirectory, until } from '../../service.ts'
import type { Simulator } from '../../simulator.ts'
import { startSimulator } from '../../simulator.ts'

let simulator: Simulator
let demo: Demo
let another: DemoNode
let payer: Payer

beforeAll(async () => {
  simulator = await startSimulator()
  demo = await openDemo()
  another = await demo.startAnother()
  payer = await createPayer(demo.service, '1000')
  const file = join(await makeDirectory(), 'connection.json')
  await writeFile(file, JSON.stringify({ url: simulator.url, timeout_ms: 2_000 }))
  const { warungd } = demo.service
  await warungd('provider', 'add', '--code', 'supplier', '--kind', 'simulator', '--file', file)
  await warungd('route', 'set', '--product', 'NOVA', '--provider', 'supplier')
})

afterAll(() => demo?.end())

type Status = { data: { network_status: string }; metadata: { last_updated: string } }

async function statusOf(reader: Reader, product: string): Promise<string> {
  const answer = await reader.get(`/v2/networkstatus?product=${product}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json<Status>().data.network_status
}

/** Pays until the status changes. Health is measured by payments alone; some are refused meanwhile. */
const untilPaymentsShow = (wanted: string) =>
  until(
    `payments show ${wanted}`,
    async () => {
      await payer.send(reload())
      return (await statusOf(demo.first, 'NOVA')) === wanted
    },
    90_000,
  )

it('a product whose only provider is gone is interrupted on every node until payments get through again', async () => {
  await until('orders go to the supplier', async () => {
    await payer.pay(reload())
    return (await simulator.books()).length > 0
  })
  expect(await statusOf(demo.first, 'NOVA')).toBe('Healthy')
  await simulator.kill9()
  await untilPaymentsShow('Interruption')
  await until(
    'the other node hears of it',
    async () => (await statusOf(another.second, 'NOVA')) === 'Interruption',
  )
  // Other products are fulfilled by another provider.
  expect(await statusOf(demo.first, 'KITA')).toBe('Healthy')
  await startSimulator({ port: Number(new URL(simulator.url).port) })
  await untilPaymentsShow('Healthy')
  await until(
    'the other node hears of that',
    async () => (await statusOf(another.second, 'NOVA')) === 'Healthy',
  )
})
