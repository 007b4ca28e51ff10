import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHeldNode } from '../../../testing/payments/held-nodes.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  databaseMs,
  expectSoundMoney,
  LATER,
  letBatchesWait,
  newRefid,
  openPaymentsBench,
  until,
  untilWaiting,
  verdictsOf,
} from '../../../testing/payments/payments.ts'
import type { IntakeResult } from './intake.types.ts'
import { forgetRejections } from './rejections.service.ts'

// Late copy of a request: delayed on the network or by a lock while another node tells the client that no payment
// exists.

let bench: PaymentsBench
let nodes: [Node, Node]

beforeAll(async () => {
  bench = await openPaymentsBench()
  nodes = [bench.openNode(), bench.openNode()]
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

/** Holds the wallet while `work` runs, so that all others that need it wait. */
function holdingWallet(reseller: bigint, work: () => Promise<void>): Promise<void> {
  return bench.database.transaction(async (tx) => {
    await tx.query('select 1 from wallets where reseller_id = $1 for update', [reseller])
    await work()
  })
}

const received = async (signedAtSeconds: number | null = null) => ({
  signedAtSeconds,
  receivedAtMs: await databaseMs(bench.database),
})

describe('a statement that was held on the wire', () => {
  it.each([
    ['signed in an earlier second', 99],
    ['signed in the same second, and received before the rejection', 100],
    ['not signed, and received before the rejection', null],
  ])('creates nothing after a rejection, when its request was %s', async (_, signedAtSeconds) => {
    const reseller = await bench.newReseller()
    const refid = newRefid()
    const held = openHeldNode(bench)
    const twin = held.intake.submit(
      commandFor(reseller, { refid, times: await received(signedAtSeconds) }),
      LATER,
    )
    await until('it is on the wire', () => held.sent === 1)
    const told = await nodes[1].intake.submit(
      commandFor(reseller, { refid, times: await received(100) }),
      LATER,
    )
    expect(told.verdict).toBe('insufficient')
    await bench.deposit(reseller, 100_000n)
    held.letThrough()
    expect(await twin).toEqual({ verdict: 'outranked', balance: 100_000n })
    expect(await bench.refidsOf(reseller)).toEqual([])
    const resent = commandFor(reseller, { refid, times: await received(100) })
    expect((await nodes[0].intake.submit(resent, LATER)).verdict).toBe('created')
  })

  it('creates nothing after a rejection even when its request is received after it, if it was signed before', async () => {
    const reseller = await bench.newReseller(100_000n)
    const refid = newRefid()
    const no = commandFor(reseller, { refid, isJudgedNo: true, times: await received(100) })
    expect((await nodes[0].intake.submit(no, LATER)).verdict).toBe('absent')
    const late = commandFor(reseller, { refid, times: await received(99) })
    expect((await nodes[1].intake.submit(late, LATER)).verdict).toBe('outranked')
    expect(await bench.refidsOf(reseller)).toEqual([])
  })

  it('creates nothing after the time until which its client waits, and rejects nothing either', async () => {
    const reseller = await bench.newReseller(100_000n)
    const notAfterMs = await databaseMs(bench.database)
    const [refid, other] = [newRefid(), newRefid()]
    const times = { notAfterMs }
    const results = await Promise.all([
      nodes[0].intake.submit(commandFor(reseller, { refid, times }), LATER),
      nodes[0].intake.submit(commandFor(reseller, { refid: other, isJudgedNo: true, times }), LATER),
      nodes[0].intake.submit(commandFor(reseller), LATER),
    ])
    expect(verdictsOf(results)).toEqual(['late', 'late', 'created'])
    expect(await countRejections(reseller)).toBe(0)
    expect(await bench.balanceOf(reseller)).toBe(90_000n)
  })

  it('is judged late by the time at which it has the wallet, not by that of its beginning', async () => {
    const reseller = await bench.newReseller(100_000n)
    const submitted: Promise<IntakeResult>[] = []
    await waitingForWallets(() =>
      holdingWallet(reseller, async () => {
        const notAfterMs = (await databaseMs(bench.database)) + 1_000
        submitted.push(nodes[0].intake.submit(commandFor(reseller, { times: { notAfterMs } }), LATER))
        await untilWaiting(bench.database, 'take_payments', 1)
        await until('its time is over', async () => (await databaseMs(bench.database)) > notAfterMs)
      }),
    )
    expect(verdictsOf(await Promise.all(submitted))).toEqual(['late'])
    expect(await bench.refidsOf(reseller)).toEqual([])
  })
})

describe('a rejection and a twin that wait for the same wallet', () => {
  it.each([
    ['the rejection comes first', true],
    ['the twin comes first', false],
  ])('see each other, when %s', async (_, isRejectionFirst) => {
    const reseller = await bench.newReseller(100_000n)
    const refid = newRefid()
    const yes = commandFor(reseller, { refid, times: await received(100) })
    const no = commandFor(reseller, { refid, isJudgedNo: true, times: await received(100) })
    const submitted: Promise<IntakeResult>[] = []
    await waitingForWallets(() =>
      holdingWallet(reseller, async () => {
        for (const [index, command] of (isRejectionFirst ? [no, yes] : [yes, no]).entries()) {
          submitted.push((nodes[index] as Node).intake.submit(command, LATER))
          await untilWaiting(bench.database, 'take_payments', index + 1)
        }
      }),
    )
    const verdicts = verdictsOf(await Promise.all(submitted))
    expect(verdicts).toEqual(isRejectionFirst ? ['absent', 'outranked'] : ['created', 'existing'])
    expect(await bench.refidsOf(reseller)).toHaveLength(isRejectionFirst ? 0 : 1)
  })

  it('never both hold, however many come at once on two nodes', async () => {
    for (let round = 0; round < 20; round += 1) {
      const reseller = await bench.newReseller(1_000_000n)
      const refid = newRefid()
      const times = await received(100)
      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (nodes[index % 2] as Node).intake.submit(
            commandFor(reseller, { refid, isJudgedNo: index % 3 === 0, times }),
            LATER,
          ),
        ),
      )
      const verdicts = new Set(verdictsOf(results))
      const isRejected = verdicts.has('absent') || verdicts.has('outranked')
      expect(await bench.refidsOf(reseller)).toHaveLength(isRejected ? 0 : 1)
    }
  })
})

describe('a wallet that somebody holds', () => {
  it('holds up its own reseller alone, on the node and in the batch: payments and refunds of the others go on', async () => {
    const held = await bench.newReseller(1_000_000n)
    const others = await Promise.all(Array.from({ length: 5 }, () => bench.newReseller(1_000_000n)))
    const node = bench.openNode()
    const refused = { kind: 'failed', code: 48, reason: 'Rejected' } as const
    const paid = await Promise.all([held, ...others].map((id) => node.intake.submit(commandFor(id), LATER)))
    const stuck: Promise<unknown>[] = []
    await holdingWallet(held, async () => {
      stuck.push(node.intake.submit(commandFor(held), LATER))
      const free = others.map((id) => node.intake.submit(commandFor(id), LATER))
      const refunds = paid.map((result) => {
        if (result.verdict !== 'created') throw new Error(result.verdict)
        const { resellerId, id } = result.payment
        return node.resolver.submit({ resellerId, id, outcome: refused, nextMs: 1_000 })
      })
      stuck.push(...refunds.splice(0, 1))
      expect(verdictsOf(await Promise.all(free))).toEqual(others.map(() => 'created'))
      expect(await Promise.all(refunds)).toEqual(others.map(() => true))
      // Later batches do not wait for the held wallet either, and its own payments join those that wait.
      stuck.push(node.intake.submit(commandFor(held), LATER))
      const later = await node.intake.submit(commandFor(others[0] as bigint), LATER)
      expect(later.verdict).toBe('created')
      expect([node.intake.waiting, node.resolver.waiting]).toEqual([2, 1])
    })
    expect(await Promise.all(stuck)).toMatchObject([{ verdict: 'created' }, true, { verdict: 'created' }])
    expect(await bench.balanceOf(held)).toBe(980_000n)
  })

  it('is waited for only so long by a deposit, which then says that nothing was moved', async () => {
    const held = await bench.newReseller(10_000n)
    await bench.database.query("alter function hold_wallet(bigint) set lock_timeout = '50ms'")
    try {
      await holdingWallet(held, async () => {
        await expect(bench.deposit(held, 5_000n)).rejects.toMatchObject({ status: 503, code: 'wallet_busy' })
      })
    } finally {
      await bench.database.query("alter function hold_wallet(bigint) set lock_timeout = '5s'")
    }
    await bench.deposit(held, 5_000n)
    expect(await bench.balanceOf(held)).toBe(15_000n)
  })

  it('has a limit for everybody who locks it', async () => {
    const { rows } = await bench.database.query<{ name: string; settings: string[] | null }>(
      `select proname as name, proconfig as settings from pg_proc where proname in ('lock_wallets', 'hold_wallet')
        order by 1`,
    )
    expect(rows).toEqual([
      { name: 'hold_wallet', settings: ['lock_timeout=5s'] },
      { name: 'lock_wallets', settings: ['lock_timeout=250ms'] },
    ])
  })
})

describe('the memory of rejections', () => {
  it('outlasts every signature that could be older, and is swept then', async () => {
    const reseller = await bench.newReseller()
    for (let index = 0; index < 3; index += 1)
      await nodes[0].intake.submit(commandFor(reseller, { isJudgedNo: true }), LATER)
    await age(reseller, 10 * 60)
    await forgetRejections(bench.database)
    expect(await countRejections(reseller)).toBe(3)
    await age(reseller, 60 + 1)
    await forgetRejections(bench.database)
    expect(await countRejections(reseller)).toBe(0)
  })

  it('does not hold what was only looked up, or what exists', async () => {
    const reseller = await bench.newReseller(100_000n)
    const [looked, taken] = [newRefid(), newRefid()]
    await nodes[0].intake.submit(
      commandFor(reseller, { refid: looked, isJudgedNo: true, isLookupOnly: true }),
      LATER,
    )
    // One batch: the rejected command finds the payment that the accepted one creates.
    await Promise.all([
      nodes[0].intake.submit(commandFor(reseller, { refid: taken }), LATER),
      nodes[0].intake.submit(commandFor(reseller, { refid: taken, isJudgedNo: true }), LATER),
    ])
    expect(await countRejections(reseller)).toBe(0)
  })

  it('keeps the latest signature, whatever the order of the rejections', async () => {
    const reseller = await bench.newReseller(100_000n)
    const refid = newRefid()
    for (const signedAt of [100, 300, 200, null]) {
      const times = await received(signedAt)
      await nodes[0].intake.submit(commandFor(reseller, { refid, isJudgedNo: true, times }), LATER)
    }
    const between = commandFor(reseller, { refid, times: await received(299) })
    expect((await nodes[1].intake.submit(between, LATER)).verdict).toBe('outranked')
    const after = commandFor(reseller, { refid, times: await received(300) })
    expect((await nodes[1].intake.submit(after, LATER)).verdict).toBe('created')
  })
})

async function waitingForWallets(work: () => Promise<void>): Promise<void> {
  const putBack = await letBatchesWait(bench.database)
  try {
    await work()
  } finally {
    await putBack()
  }
}

async function countRejections(resellerId: bigint): Promise<number> {
  const { rows } = await bench.database.query<{ count: number }>(
    'select count(*)::integer as count from payment_rejections where reseller_id = $1',
    [resellerId],
  )
  return rows[0]?.count ?? 0
}

async function age(resellerId: bigint, seconds: number): Promise<void> {
  await bench.database.query(
    'update payment_rejections set rejected_at = rejected_at - make_interval(secs => $2) where reseller_id = $1',
    [resellerId, seconds],
  )
}
