import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UncertainOutcomeError } from '../../../db/commits/group-commit.ts'
import type { Database } from '../../../db/database.ts'
import { noFailpoint } from '../../../lib/failpoints.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  LATER,
  LEASE_MS,
  letBatchesWait,
  newNonce,
  newRefid,
  openPaymentsBench,
  payWith,
  until,
  untilWaiting,
  verdictsOf,
  withStatementHooks,
} from '../../../testing/payments/payments.ts'
import type { Payment } from '../core/types.ts'
import { createResolver } from '../outcomes/resolve.service.ts'
import type { Intake } from './intake.service.ts'
import { createIntake } from './intake.service.ts'
import type { IntakeResult } from './intake.types.ts'

let bench: PaymentsBench
let nodes: [Node, Node]

beforeAll(async () => {
  bench = await openPaymentsBench()
  await letBatchesWait(bench.database)
  nodes = [bench.openNode(), bench.openNode()]
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

function onBoth(count: number, submit: (node: Node, index: number) => Promise<IntakeResult>) {
  return Promise.all(
    Array.from({ length: count }, (_, index) => submit(index % 2 === 0 ? nodes[0] : nodes[1], index)),
  )
}

/** Holds the wallet while `work` runs, so that a batch with this wallet waits. */
function holdingWallet(reseller: bigint, work: () => Promise<void>): Promise<void> {
  return bench.database.transaction(async (tx) => {
    await tx.query('select 1 from wallets where reseller_id = $1 for update', [reseller])
    await work()
  })
}

describe('two nodes at once', () => {
  it('two that have both found a refid free, and wait for the wallet, make one payment without any trouble', async () => {
    const reseller = await bench.newReseller(100_000n)
    const refid = newRefid()
    const submitted: Promise<IntakeResult>[] = []
    await holdingWallet(reseller, async () => {
      submitted.push(...nodes.map((node) => node.intake.submit(commandFor(reseller, { refid }), LATER)))
      await untilWaiting(bench.database, 'take_payments', 2)
    })
    expect(verdictsOf(await Promise.all(submitted)).sort()).toEqual(['created', 'existing'])
  })

  it('fifty requests under one refid make one payment, and all of them are told of it', async () => {
    for (let round = 0; round < 10; round += 1) {
      const reseller = await bench.newReseller(1_000_000n)
      const refid = newRefid()
      const results = await onBoth(50, (node) => node.intake.submit(commandFor(reseller, { refid }), LATER))
      expect(verdictsOf(results).filter((verdict) => verdict === 'created')).toHaveLength(1)
      expect(verdictsOf(results).filter((verdict) => verdict === 'existing')).toHaveLength(49)
      expect(new Set(results.map((result) => 'payment' in result && result.payment.id)).size).toBe(1)
      expect(await bench.balanceOf(reseller)).toBe(990_000n)
    }
  })

  it('a wallet is spent to its last sen and no further', async () => {
    const reseller = await bench.newReseller(170_000n)
    const results = await onBoth(60, (node) =>
      node.intake.submit(commandFor(reseller, { cost: 10_000n }), LATER),
    )
    expect(verdictsOf(results).filter((verdict) => verdict === 'created')).toHaveLength(17)
    expect(verdictsOf(results).filter((verdict) => verdict === 'insufficient')).toHaveLength(43)
    expect(await bench.balanceOf(reseller)).toBe(0n)
  })

  it('fifty requests with one nonce: exactly one is looked at', async () => {
    for (let round = 0; round < 5; round += 1) {
      const reseller = await bench.newReseller(1_000_000n)
      const { digest } = newNonce()
      const results = await onBoth(50, (node) =>
        node.intake.submit(commandFor(reseller, { nonce: { ...newNonce(), digest } }), LATER),
      )
      expect(verdictsOf(results).filter((verdict) => verdict === 'nonce')).toHaveLength(49)
      expect(await bench.balanceOf(reseller)).toBe(990_000n)
    }
  })

  it('a nonce that was used on one is refused on the other', async () => {
    const reseller = await bench.newReseller(100_000n)
    const nonce = newNonce()
    await payWith(nodes[0], reseller, { nonce })
    const replay = commandFor(reseller, { nonce: { ...newNonce(), digest: nonce.digest } })
    expect(await nodes[1].intake.submit(replay, LATER)).toEqual({ verdict: 'nonce' })
  })
})

/** Creates evenly spread numbers from a seed, so that a failure can be repeated. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('hundreds of batches on two nodes, over the same few wallets', () => {
  it('never wait for each other in a circle, and the money is sound', async () => {
    const resellers = await Promise.all(Array.from({ length: 12 }, () => bench.newReseller(5_000_000n)))
    const troubles: unknown[] = []
    const others = [bench.openNode(), bench.openNode()].map(({ database }): Node => {
      const heard = withStatementHooks(database, { onError: (error) => troubles.push(error) })
      const settings = { database: heard, vault: bench.vault, failpoint: noFailpoint, leaseMs: LEASE_MS }
      return { database, intake: createIntake(settings), resolver: createResolver(settings) }
    })
    const random = createRandom(7)
    const taken: Payment[] = []
    const step = async (node: Node) => {
      const commands = Array.from({ length: 1 + random(12) }, () =>
        commandFor(resellers[random(resellers.length)] as bigint, {
          refid: `deadlock-${random(2_000)}`,
          cost: 1n + BigInt(random(20_000)),
          nonce: newNonce(),
        }),
      )
      const words = taken.splice(0, random(12)).flatMap(({ resellerId, id }) => {
        const outcome =
          random(2) === 0
            ? ({ kind: 'failed', code: 48, reason: 'Rejected' } as const)
            : ({ kind: 'pending' } as const)
        return others.map(({ resolver }) => resolver.submit({ resellerId, id, outcome, nextMs: 1_000 }))
      })
      const results = await Promise.all(commands.map((command) => node.intake.submit(command, LATER)))
      await Promise.all(words)
      for (const result of results) if (result.verdict === 'created') taken.push(result.payment)
    }
    const lane = async (node: Node) => {
      for (let round = 0; round < 100; round += 1) await step(node)
    }
    await Promise.all(others.flatMap((node) => [lane(node), lane(node)]))
    expect(troubles).toEqual([])
    expect(taken.length).toBeGreaterThan(0)
  })
})

describe('a connection that is lost in the middle', () => {
  function intakeOn(database: Database): Intake {
    return createIntake({ database, vault: bench.vault, failpoint: noFailpoint, leaseMs: LEASE_MS })
  }

  it('once: the batch runs again, and each command is one payment', async () => {
    const reseller = await bench.newReseller(100_000n)
    const commands = Array.from({ length: 3 }, () => commandFor(reseller, { nonce: newNonce() }))
    const submitted: Promise<IntakeResult>[] = []
    await holdingWallet(reseller, async () => {
      submitted.push(...commands.map((command) => nodes[0].intake.submit(command, LATER)))
      await untilWaiting(bench.database, 'take_payments', 1, { cut: true })
    })
    expect(verdictsOf(await Promise.all(submitted))).toEqual(['created', 'created', 'created'])
    expect(await bench.refidsOf(reseller)).toHaveLength(3)
    expect(await bench.balanceOf(reseller)).toBe(70_000n)
  })

  it('twice: the outcome is uncertain, and asking again finds out without paying twice', async () => {
    const reseller = await bench.newReseller(100_000n)
    const command = commandFor(reseller, { nonce: newNonce() })
    await holdingWallet(reseller, async () => {
      const submitted = nodes[0].intake.submit(command, LATER)
      const refused = expect(submitted).rejects.toBeInstanceOf(UncertainOutcomeError)
      await untilWaiting(bench.database, 'take_payments', 1, { cut: true })
      await untilWaiting(bench.database, 'take_payments', 1, { cut: true })
      await refused
    })
    const again = await nodes[1].intake.submit({ ...command, nonce: newNonce() }, LATER)
    expect(['created', 'existing']).toContain(again.verdict)
    expect(await bench.refidsOf(reseller)).toHaveLength(1)
    expect(await bench.balanceOf(reseller)).toBe(90_000n)
  })

  it('after the commit: what was committed is found, not made again, and whoever knows it as its own sends it', async () => {
    const reseller = await bench.newReseller(100_000n)
    let calls = 0
    const lossy = withStatementHooks(bench.openNode().database, {
      after() {
        calls += 1
        if (calls === 1) throw new Error('Connection terminated unexpectedly')
      },
    })
    const intake = intakeOn(lossy)
    const refid = newRefid()
    const results = await Promise.all([
      intake.submit(commandFor(reseller, { nonce: newNonce() }), LATER),
      intake.submit(commandFor(reseller, { refid }), LATER),
      intake.submit(commandFor(reseller, { refid }), LATER),
    ])
    expect(calls).toBeGreaterThan(1)
    expect(verdictsOf(results)).toEqual(['created', 'existing', 'existing'])
    expect(results[0]).toMatchObject({ payment: { code: 0, balanceAfter: 90_000n } })
    expect(await bench.refidsOf(reseller)).toHaveLength(2)
    expect(await bench.balanceOf(reseller)).toBe(80_000n)
  })

  it('after the commit: a request without a nonce knows its payment as its own, too', async () => {
    const reseller = await bench.newReseller(100_000n)
    let calls = 0
    const lossy = withStatementHooks(bench.openNode().database, {
      after() {
        calls += 1
        if (calls === 1) throw new Error('Connection terminated unexpectedly')
      },
    })
    const command = commandFor(reseller, { requestId: randomUUID() })
    expect((await intakeOn(lossy).submit(command, LATER)).verdict).toBe('created')
    expect(await bench.refidsOf(reseller)).toHaveLength(1)
    expect(await bench.balanceOf(reseller)).toBe(90_000n)
  })

  it('again and again, under load: no refid has two payments, and none that was acknowledged is missing', async () => {
    const reseller = await bench.newReseller(10_000_000n)
    const acknowledged = new Set<string>()
    let answered = 0
    let isOver = false
    const client = async (node: Node) => {
      for (let round = 0; round < 25; round += 1) {
        const { refid } = commandFor(reseller).request
        const result = await node.intake
          .submit(commandFor(reseller, { refid, nonce: newNonce() }), LATER)
          .catch(() => undefined)
        answered += 1
        if (result !== undefined) acknowledged.add(refid)
      }
    }
    const cutting = until('the clients are done', async () => {
      await bench.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and query like '%take_payments%' and pid <> pg_backend_pid()`,
      )
      const soon = answered + 5
      await until('some more are answered', () => isOver || answered >= soon)
      return isOver
    })
    await Promise.all(nodes.flatMap((node) => [client(node), client(node), client(node)]))
    isOver = true
    await cutting
    const refids = await bench.refidsOf(reseller)
    expect(new Set(refids).size).toBe(refids.length)
    expect([...acknowledged].filter((refid) => !refids.includes(refid))).toEqual([])
    expect(acknowledged.size).toBeGreaterThan(0)
  })
})

it('a full queue refuses at once, and says so', async () => {
  const reseller = await bench.newReseller(100_000n)
  const [{ intake }] = nodes
  const isAwaited = () => false
  const waiting = Array.from({ length: 20_000 }, () => intake.submit(commandFor(reseller), LATER, isAwaited))
  const dropped = Promise.allSettled(waiting)
  expect(intake.waiting).toBe(20_000)
  await expect(intake.submit(commandFor(reseller), LATER)).rejects.toThrow('20000 commands are waiting')
  for (const each of await dropped) expect(each.status).toBe('rejected')
  expect(intake.waiting).toBe(0)
  expect(await bench.balanceOf(reseller)).toBe(100_000n)
})
