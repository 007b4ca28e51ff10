import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { makeDirectory, stopServices } from './service.ts'
import type { Order } from './simulator.ts'
import { startSimulator } from './simulator.ts'

afterAll(stopServices)

const order = (reference: string, account = '60123456789'): Order => ({
  reference,
  product: 'NOVA',
  account,
  amount: '10.00',
})

it('a simulator that is killed while it answers nobody remembers what it did, and does it once', async () => {
  const books = join(await makeDirectory(), 'books.jsonl')
  const first = await startSimulator({ books })
  expect(await first.submit(order('told'))).toMatchObject({ status: 200, body: { status: 'succeeded' } })
  await first.fault({ kind: 'drop_after', count: 1 })
  await expect(first.submit(order('lost'))).rejects.toThrow()
  await first.kill9()

  const second = await startSimulator({ books, port: Number(new URL(first.url).port) })
  expect(second.url).toBe(first.url)
  expect(await second.faults()).toEqual([])
  expect(await second.submit(order('lost'))).toMatchObject({ status: 200, body: { status: 'succeeded' } })
  expect((await second.submit(order('lost', '60123450048'))).status).toBe(409)
  expect(await second.books()).toMatchObject([
    { reference: 'told', status: 'succeeded', times_received: 1 },
    { reference: 'lost', status: 'succeeded', times_received: 2 },
  ])
  expect(await second.stop()).toBe(0)
})

it('faults hit what they name, as often as they say, and an outage leaves the books readable', async () => {
  const simulator = await startSimulator()
  await simulator.fault({ kind: 'error_before', count: 1, matching_account: '60111111111' })
  expect((await simulator.submit(order('a'))).status).toBe(200)
  expect((await simulator.submit(order('b', '60111111111'))).status).toBe(500)
  expect((await simulator.submit(order('b', '60111111111'))).status).toBe(200)
  await simulator.fault({ kind: 'outage' })
  expect((await simulator.submit(order('c'))).status).toBe(503)
  expect(await simulator.find('a')).toMatchObject({ status: 'succeeded', times_received: 1 })
  expect(await simulator.find('c')).toBeUndefined()
  await simulator.clearFaults()
  expect((await simulator.submit(order('c'))).status).toBe(200)
})

it('books longer than a page are read to their end', async () => {
  const simulator = await startSimulator()
  const references = Array.from({ length: 1_001 }, (_, index) => `page-${index}`)
  for (const reference of references) await simulator.submit(order(reference))
  expect((await simulator.books()).map((line) => line.reference)).toEqual(references)
})
