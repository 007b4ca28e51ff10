import { isIPv6 } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseNetwork } from '../../../lib/addresses.ts'
import { createOutbound } from '../../../outbound/client.ts'
import type { Outbound } from '../../../outbound/types.ts'
import type { DeliveringBench, DeliveryRow, Receiver } from '../../../testing/events/delivering.ts'
import { openDeliveringBench, openReceiver } from '../../../testing/events/delivering.ts'
import { until } from '../../../testing/payments/payments.ts'

// Names that mean something else the next time they are asked for.

const HERE = '127.0.0.1'

let bench: DeliveringBench
let receiver: Receiver
let outbound: Outbound
/** Answers of the resolver by name, one for each question; the last one stays. */
let meanings: Map<string, string[][]>

beforeEach(async () => {
  bench = await openDeliveringBench()
  receiver = await openReceiver()
  // Connections are closed after each answer, so that every attempt resolves the name again.
  receiver.answerWith((_, response) => void response.writeHead(200, { connection: 'close' }).end())
  meanings = new Map()
  const allowed = parseNetwork(`${HERE}/32`)
  outbound = createOutbound({
    allow: allowed === undefined ? [] : [allowed],
    async resolve(name) {
      const list = meanings.get(name) ?? []
      const meaning = list.length > 1 ? list.shift() : list[0]
      if (meaning === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
      return meaning.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
    },
  })
  bench.openEngine({ outbound })
})

afterEach(async () => {
  await receiver.close()
  await bench.close()
  await outbound.close()
})

async function openAccount(name: string, ...answers: string[][]): Promise<bigint> {
  const resellerId = await bench.newReseller(0n)
  meanings.set(name, answers)
  await bench.putEndpoint(resellerId, 'balance', receiver.url.replace(HERE, name))
  return resellerId
}

/** Waits until so many have been tried; oldest first. */
function untilTried(resellerId: bigint, count: number): Promise<DeliveryRow[]> {
  return until('they were tried', async () => {
    const rows = await bench.deliveriesOf(resellerId)
    return rows.length === count && rows.every((row) => row.attempts_made > 0) && rows
  })
}

/** Loopback, private, link-local, a carrier's, multicast, of no host; each family, and one within the other. */
const REFUSED = [
  '127.0.0.2',
  '::1',
  '10.0.0.1',
  '172.31.255.255',
  '192.168.1.1',
  'fc00::1',
  '169.254.169.254',
  'fe80::1',
  '100.64.0.1',
  '224.0.0.1',
  'ff02::1',
  '0.0.0.0',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
]

it('a name that is bound to a refused address after it was fine gets nothing more, and is not tried again', async () => {
  const accounts = await Promise.all(
    REFUSED.map(async (address, index) => ({
      address,
      resellerId: await openAccount(`shop-${index}.test`, [HERE], [address]),
    })),
  )
  for (const { resellerId } of accounts) await bench.queueBalance(resellerId, 1)
  for (const { resellerId } of accounts) {
    const [first] = await untilTried(resellerId, 1)
    expect(first).toMatchObject({ status: 'success', response_status: 200 })
  }
  expect(receiver.received).toHaveLength(accounts.length)

  for (const { resellerId } of accounts) await bench.queueBalance(resellerId, 1)
  for (const { address, resellerId } of accounts) {
    const [, second] = await untilTried(resellerId, 2)
    expect([address, second]).toMatchObject([
      address,
      { status: 'failed', attempts_made: 1, response_status: 0 },
    ])
    expect(second?.error).toMatch(/^Not sent/)
    expect(second?.sealed_response).toBeNull()
  }
  expect(receiver.received).toHaveLength(accounts.length)
})

it('refused addresses among several addresses of a name are never used', async () => {
  const resellerId = await openAccount('many.test', ['10.0.0.1', HERE, '::1'])
  await bench.queueBalance(resellerId, 1)
  expect(await untilTried(resellerId, 1)).toMatchObject([{ status: 'success' }])
})

it('a name that means nothing is tried again, and reached when it means something', async () => {
  const resellerId = await openAccount('late.test')
  await bench.queueBalance(resellerId, 1)
  expect(await untilTried(resellerId, 1)).toMatchObject([{ status: 'pending', attempts_made: 1 }])
  meanings.set('late.test', [[HERE]])
  await bench.advance(resellerId, 60)
  await until('it arrived', async () => (await bench.deliveriesOf(resellerId))[0]?.status === 'success')
})
