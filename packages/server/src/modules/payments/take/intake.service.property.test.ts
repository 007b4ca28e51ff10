import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  newNonce,
  openPaymentsBench,
  takeTogether,
  verdictsOf,
} from '../../../testing/payments/payments.ts'
import { runs } from '../../../testing/runs.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())

type Drawn = { reseller: number; refid: number; cost: number; isJudgedNo: boolean; nonce: number | null }

const drawn: fc.Arbitrary<Drawn> = fc.record({
  reseller: fc.nat(2),
  refid: fc.nat(7),
  cost: fc.integer({ min: 1, max: 40 }),
  isJudgedNo: fc.boolean().chain((no) => (no ? fc.boolean() : fc.constant(false))),
  nonce: fc.option(fc.nat(9), { nil: null }),
})
const batches = fc.array(fc.array(drawn, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 5 })

/** Model of the expected results of a batch, without a database. */
type Model = { balances: number[]; refids: Set<string>; nonces: Set<string> }

function expectedOf(model: Model, batch: readonly Drawn[]): string[] {
  const keyOf = ({ reseller, refid }: Drawn) => `${reseller}/${refid}`
  const take = (command: Drawn): string => {
    if (model.refids.has(keyOf(command))) return 'existing'
    if (command.cost > (model.balances[command.reseller] as number)) return 'insufficient'
    model.balances[command.reseller] = (model.balances[command.reseller] as number) - command.cost
    model.refids.add(keyOf(command))
    return 'created'
  }
  const verdicts: string[] = []
  const before = new Set(model.nonces)
  const looked = batch.map(({ reseller, nonce }) => {
    if (nonce === null) return true
    const isNew = !model.nonces.has(`${reseller}/${nonce}`)
    model.nonces.add(`${reseller}/${nonce}`)
    return isNew
  })
  // A nonce of an earlier batch is refused by the database only. Its command is sent there, and counts as the first of
  // its refid.
  const isAsked = ({ reseller, nonce }: Drawn) => before.has(`${reseller}/${nonce}`)
  const first = new Set<string>()
  const later: number[] = []
  const asking: number[] = []
  for (const [place, command] of batch.entries()) {
    if (!looked[place]) {
      verdicts[place] = 'nonce'
      if (isAskedFirst(batch, place, isAsked) && !command.isJudgedNo) first.add(keyOf(command))
    } else if (command.isJudgedNo) asking.push(place)
    else if (first.has(keyOf(command))) later.push(place)
    else {
      first.add(keyOf(command))
      verdicts[place] = take(command)
    }
  }
  for (const place of asking)
    verdicts[place] = model.refids.has(keyOf(batch[place] as Drawn)) ? 'existing' : 'absent'
  for (const place of later) verdicts[place] = take(batch[place] as Drawn)
  return verdicts
}

/**
 * Tells whether a command is sent to the database: of several commands with one nonce in a batch, only the first is.
 */
function isAskedFirst(batch: readonly Drawn[], place: number, isAsked: (each: Drawn) => boolean): boolean {
  const command = batch[place] as Drawn
  const isSame = (each: Drawn) => each.reseller === command.reseller && each.nonce === command.nonce
  return isAsked(command) && batch.findIndex(isSame) === place
}

it('any batches come to what their commands come to one by one', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (drawnBatches) => {
      const resellers = await Promise.all([60, 100, 30].map((sen) => bench.newReseller(BigInt(sen))))
      const model: Model = { balances: [60, 100, 30], refids: new Set(), nonces: new Set() }
      const digests = new Map<string, string>()
      const digestOf = (key: string) => {
        const digest = digests.get(key) ?? randomUUID()
        digests.set(key, digest)
        return digest
      }
      for (const batch of drawnBatches) {
        const results = await takeTogether(
          node,
          batch.map(({ reseller, refid, cost, isJudgedNo, nonce }) =>
            commandFor(resellers[reseller] as bigint, {
              refid: `P-${refid}`,
              cost: BigInt(cost),
              isJudgedNo,
              nonce: nonce === null ? undefined : { ...newNonce(), digest: digestOf(`${reseller}/${nonce}`) },
            }),
          ),
        )
        expect(verdictsOf(results)).toEqual(expectedOf(model, batch))
        const balances = await Promise.all(resellers.map(bench.balanceOf))
        expect(balances.map(Number)).toEqual(model.balances)
      }
      const refids = (await Promise.all(resellers.map(bench.refidsOf))).flat()
      expect(refids).toHaveLength(model.refids.size)
    }),
    { numRuns: runs(60) },
  )
  await expectSoundMoney(bench.database)
})
