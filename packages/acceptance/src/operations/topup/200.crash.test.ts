import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo, DemoNode } from '../../catalog.ts'
import { startDemo } from '../../catalog.ts'
import { untilKnown } from '../../edge.ts'
import type { Payer } from '../../payments.ts'
import { countEntries, createPayer, payerAt, RELOAD_COST, reload, ringgit } from '../../payments.ts'
import type { ServiceProcess } from '../../service.ts'

let demo: Demo<ServiceProcess>

beforeAll(async () => {
  demo = await startDemo({ WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1', WARUNG_LEASE_SECONDS: '3' })
})

afterAll(() => demo?.end())

/** Starts a node that the test will kill, with the same reseller there and at the node that stays. */
async function startDoomed(): Promise<{ doomed: DemoNode<ServiceProcess>; there: Payer; here: Payer }> {
  const [doomed, here] = await Promise.all([demo.startAnother(), createPayer(demo.service, '1000')])
  await untilKnown(doomed.service, here.credentials)
  return { doomed, here, there: payerAt(doomed.service, { ...here.credentials, account: here.account }) }
}

it('a payment whose node was killed right after it took it is finished by another, and paid for once', async () => {
  const { doomed, there, here } = await startDoomed()
  // The provider answers neither of them before the node is gone.
  const bodies = [reload({ account: '60123453001' }), reload({ account: '60123453002' })]
  const [good, bad] = bodies as [(typeof bodies)[0], (typeof bodies)[0]]
  const taken = await Promise.all(bodies.map((body) => there.pay(body)))
  await doomed.service.kill9()
  expect(taken.map(({ status }) => status)).toEqual(['Accepted', 'Accepted'])
  const ended = await Promise.all([here.untilStatus(good, 'Succesful'), here.untilStatus(bad, 'Failed')])
  expect(ended.map(({ transaction_id }) => transaction_id)).toEqual(
    taken.map(({ transaction_id }) => transaction_id),
  )
  expect(await here.balance()).toBe(ringgit(1000 - RELOAD_COST))
  expect(await countEntries(demo.service, here.account)).toBe(4)
})

it('many payments at a node that is killed: each is paid for once or not at all, and each can be asked about', async () => {
  const { doomed, there, here } = await startDoomed()
  const bodies = Array.from({ length: 60 }, () => reload())
  let answered = 0
  const sent = bodies.map(async (body) => {
    try {
      const { status } = await there.send(body)
      answered += 1
      // Some answers are sent, others are in progress.
      if (answered === 10) doomed.service.signal('SIGKILL')
      return status
    } catch {
      return undefined
    }
  })
  const statuses = await Promise.all(sent)
  await doomed.service.ended
  expect(statuses.filter((status) => status !== undefined && status !== 200)).toEqual([])
  // A client without an answer sends the same refid again: an existing payment is found, the rest is paid.
  await Promise.all(bodies.map((body) => here.untilStatus(body, 'Succesful')))
  expect(await here.balance()).toBe(ringgit(1000 - 60 * RELOAD_COST))
  expect(await countEntries(demo.service, here.account)).toBe(61)
})
