import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DeliveringBench, DeliveryRow, Receiver } from '../../../testing/events/delivering.ts'
import { openDeliveringBench, openReceiver } from '../../../testing/events/delivering.ts'
import { until } from '../../../testing/payments/payments.ts'
import { createEventReader } from '../messages/reader.service.ts'
import type { EventReader } from '../types.ts'

let bench: DeliveringBench
let receiver: Receiver

beforeAll(async () => {
  bench = await openDeliveringBench()
  receiver = await openReceiver()
})
afterAll(async () => {
  await bench.close()
  await receiver.close()
})

/** Delivers one event while its first reads fail with an error that says nothing of the database. */
async function deliver(failures: number): Promise<{ row: DeliveryRow; problems: unknown[] }> {
  const real = createEventReader(bench)
  const problems: unknown[] = []
  let left = failures
  const reader: EventReader = {
    async read(refs) {
      left -= 1
      if (left >= 0) throw new Error('something strange')
      return real.read(refs)
    },
  }
  const resellerId = await bench.newReseller(0n)
  await bench.putEndpoint(resellerId, 'balance', receiver.url)
  await bench.queueBalance(resellerId, 1)
  const engine = bench.openEngine({ reader, onProblem: (error) => problems.push(error) })
  engine.wake()
  let row: DeliveryRow | undefined
  await until('the delivery has ended', async () => {
    const [found] = await bench.deliveriesOf(resellerId)
    row = found?.status === 'pending' ? undefined : found
    return row !== undefined
  })
  await engine.stop()
  return { row: row as DeliveryRow, problems }
}

it('a delivery whose event could not be read once is sent', async () => {
  const { row, problems } = await deliver(1)
  expect(row).toMatchObject({ status: 'success', attempts_made: 1, error: '' })
  expect(problems).toEqual([new Error('something strange')])
})

it('a delivery whose event cannot be read twice ends without a request', async () => {
  const before = receiver.received.length
  const { row, problems } = await deliver(Number.POSITIVE_INFINITY)
  expect(row).toMatchObject({ status: 'failed', attempts_made: 0, error: 'The event cannot be read' })
  expect(problems).toHaveLength(2)
  expect(receiver.received).toHaveLength(before)
})
