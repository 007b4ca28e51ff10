import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Node } from '../../testing/payments/payments.ts'
import { commandFor, takeTogether } from '../../testing/payments/payments.ts'
import { runs } from '../../testing/runs.ts'
import type { BoundTill, TestShop, TillsBench } from '../../testing/tills.ts'
import { openTillsBench } from '../../testing/tills.ts'
import type { Payment } from '../payments/core/types.ts'
import { sumSoldAt } from '../payments/reports/stays.service.ts'
import type { MemberCaller } from '../sessions/people/types.ts'
import { findShiftDetails, listShifts, stayOf } from './service.ts'
import { listStayRowsOf } from './shifts.sql.ts'
import type { Shift } from './types.ts'

let bench: TillsBench
let nodes: readonly [Node, Node]

beforeAll(async () => {
  bench = await openTillsBench()
  nodes = [bench.openNode(), bench.openNode()]
})
afterAll(() => bench.close())

/** A counter with its person; a person who joins the first counter; and an API key, which is in no shift. */
const SELLER = fc.constantFrom(0, 1, 2, 3)
const SALE = fc.record({
  seller: SELLER,
  ringgit: fc.integer({ min: 1, max: 9 }),
  category: fc.constantFrom('A', 'B'),
})
const STEP = fc.record({
  sales: fc.array(SALE, { maxLength: 6 }),
  /** Tills that are closed while these sales are under way. */
  closes: fc.subarray([0, 1]),
  ends: fc.array(fc.record({ which: fc.nat(), isVoid: fc.boolean() }), { maxLength: 2 }),
  cash: fc.constantFrom(null, 'pay_in', 'pay_out', 'not_cash'),
})
type Sale = { seller: number; ringgit: number; category: string }

type World = {
  readonly shop: TestShop
  readonly tills: readonly BoundTill[]
  readonly people: readonly MemberCaller[]
  readonly paid: Payment[]
  readonly open: (Shift | undefined)[]
}

async function open(world: World): Promise<void> {
  const { shop, tills, people } = world
  for (const [at, till] of tills.entries()) {
    const person = people[at]
    if (world.open[at] !== undefined || person === undefined) continue
    world.open[at] = await shop.open(person, till, '20.00')
    if (at === 0 && people[2] !== undefined) await shop.join(people[2], till)
  }
}

async function sell({ shop, people, paid }: World, sales: readonly Sale[]): Promise<void> {
  await Promise.all(
    nodes.map(async (node, at) => {
      const commands = sales
        .filter((_, index) => index % nodes.length === at)
        .map(({ seller, ringgit, category }) => {
          const memberId = String(people[seller]?.userId ?? '7')
          const amount = BigInt(ringgit) * 10_000n
          const key = seller === 3 ? { purposeId: 7n } : {}
          return commandFor(shop.id, { category, memberId, amount, cost: amount - 100n, ...key })
        })
      const results = commands.length === 0 ? [] : await takeTogether(node, commands)
      for (const result of results) if (result.verdict === 'created') paid.push(result.payment)
    }),
  )
}

const SUCCEEDED = {
  kind: 'succeeded',
  output: { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' },
} as const

async function end({ paid }: World, which: number, isVoid: boolean): Promise<void> {
  const [payment] = paid.splice(which % Math.max(paid.length, 1), 1)
  if (payment === undefined) return
  const outcomes = isVoid
    ? [SUCCEEDED, { kind: 'voided' } as const]
    : [{ kind: 'failed', code: 48, reason: 'no' } as const]
  for (const outcome of outcomes) {
    await nodes[0].resolver.submit({ resellerId: payment.resellerId, id: payment.id, nextMs: 0, outcome })
  }
}

async function close(world: World, at: number): Promise<void> {
  const shift = world.open[at]
  const person = world.people[at]
  if (shift === undefined || person === undefined) return
  world.open[at] = undefined
  await world.shop.close(person, shift.id, '20.00')
}

it('each sale of a member in a shift is in one Z report, which says the same for ever, in whatever order sales, failures, voids and closes come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 5 }), async (steps) => {
      const shop = await bench.newShop()
      const people = [await shop.newPerson(), await shop.newPerson(), await shop.newPerson()]
      const tills = [await shop.newTill(), await shop.newTill()]
      const world: World = { shop, tills, people, paid: [], open: [] }
      for (const { sales, closes, ends, cash } of steps) {
        await open(world)
        const [person] = people
        if (cash !== null && world.open[0] !== undefined && person !== undefined) {
          await shop.move(person, world.open[0].id, cash, '1.50')
        }
        await Promise.all([
          sell(world, sales),
          ...closes.map((at) => close(world, at)),
          ...ends.map(({ which, isVoid }) => end(world, which, isVoid)),
        ])
      }
      await Promise.all([close(world, 0), close(world, 1)])
      await expectWholeReports(shop)
    }),
    { numRuns: runs(48) },
  )
})

async function expectWholeReports(shop: TestShop): Promise<void> {
  const shifts = await listShifts(bench.database, shop.id, { memberId: null, before: null, limit: 100 })
  let inReports = 0n
  for (const { id, end } of shifts) {
    const details = await findShiftDetails(bench.database, shop.id, id)
    if (details === undefined || end === null) throw new Error('the shift is closed')
    const stays = (await listStayRowsOf(bench.database, shop.id, id)).map((row) => stayOf(row, ''))
    const again = await sumSoldAt(bench.database, shop.id, stays, end.closedMs)
    const order = (a: (typeof again)[number], b: (typeof again)[number]) =>
      Number(a.memberId - b.memberId) || (a.category < b.category ? -1 : 1)
    expect(again.toSorted(order)).toEqual(details.sales)
    const sold = details.sales.reduce((sum, { faceValue }) => sum + faceValue, 0n)
    const moved = details.movements.reduce(
      (sum, { kind, amount }) => sum + (kind === 'pay_in' ? amount : -amount),
      0n,
    )
    expect(end.expected).toBe(200_000n + sold + moved)
    inReports += sold - details.takenBack.reduce((sum, { faceValue }) => sum + faceValue, 0n)
  }
  // Reports sold what members sold in their shifts and nobody took back.
  const { rows } = await bench.database.query<{ sold: bigint; numbers: number[][] }>(
    `select coalesce((select sum(face_value) from payments p
                       where p.reseller_id = $1 and p.code in (0, 1, 20) and p.purpose_id is null
                         and exists (select from shift_stays y where y.reseller_id = $1
                                        and y.member_id::text = p.member_id and p.id >= y.from_ms << 20
                                        and p.id < y.until_ms << 20)), 0)::bigint as sold,
            coalesce((select jsonb_agg(numbers) from (
               select jsonb_agg(number order by id) as numbers from shifts where reseller_id = $1 group by till_id) n),
               '[]') as numbers`,
    [shop.id],
  )
  expect(inReports).toBe(rows[0]?.sold)
  for (const numbers of rows[0]?.numbers ?? []) expect(numbers).toEqual(numbers.map((_, at) => at + 1))
}
