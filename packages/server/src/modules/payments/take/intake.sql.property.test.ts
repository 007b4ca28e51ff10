import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  LEASE_MS,
  newNonce,
  openPaymentsBench,
  takeTogether,
} from '../../../testing/payments/payments.ts'
import { runs } from '../../../testing/runs.ts'
import { findPaymentById } from '../core/records.service.ts'
import type { IntakeCommand } from './intake.types.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

const BALANCE = 10n ** 12n
const amount = fc.bigInt({ min: 1n, max: 10n ** 9n })
const optional = fc.boolean()

type Drawn = {
  readonly amounts: readonly [amount: bigint, faceValue: bigint, cost: bigint]
  readonly dueAfterSeconds: number
  readonly has: { readonly [Name in 'plan' | 'biller' | 'ref2' | 'ic' | 'subproduct' | 'note']: boolean }
  readonly isSecondReseller: boolean
}

const command = fc.record<Drawn>({
  amounts: fc.tuple(amount, amount, amount),
  dueAfterSeconds: fc.integer({ min: 1, max: 1_000_000 }),
  has: fc.record({
    plan: optional,
    biller: optional,
    ref2: optional,
    ic: optional,
    subproduct: optional,
    note: optional,
  }),
  isSecondReseller: fc.boolean(),
})

/** Makes a command in which no two texts are equal, so that two that changed places are seen. */
function commandOf({ amounts, dueAfterSeconds, has }: Drawn, resellerId: bigint): IntakeCommand {
  const text = (name: string) => `${name} ${randomUUID()}`
  const some = (isGiven: boolean, name: string) => (isGiven ? text(name) : null)
  const [paid, faceValue, cost] = amounts
  const productCode = text('product')
  return {
    resellerId,
    request: {
      refid: text('refid'),
      product: productCode,
      account: text('account'),
      amount: paid,
      remarks: text('remarks'),
      extras: {
        subproductCode: some(has.subproduct, 'subproduct'),
        billerCode: some(has.biller, 'biller'),
        ref2: some(has.ref2, 'ref2'),
        icNumber: some(has.ic, 'ic'),
      },
      problems: {},
    },
    decision: {
      productCode,
      productName: text('name'),
      amount: paid,
      faceValue,
      cost,
      planCode: some(has.plan, 'plan'),
      dueAfterSeconds,
    },
    isLookupOnly: false,
    times: { signedAtSeconds: null, receivedAtMs: null, notAfterMs: null },
    provider: text('provider'),
    reservesStock: false,
    routeNote: some(has.note, 'note'),
    nonce: newNonce(),
    sender: text('sender'),
    memberId: text('member'),
  }
}

type Stored = {
  provider: string
  plan_code: string | null
  request_id: string
  due_seconds: number
  is_leased: boolean
  remarks: string
  amount: bigint
  notes: string[] | null
}

/** Reads the parts of a payment that its own record does not show: its work, its entry and its timeline. */
async function storedOf(id: bigint): Promise<Stored | undefined> {
  const { rows } = await bench.database.query<Stored>(
    `select p.provider, p.plan_code, w.request_id, w.is_leased, t.remarks, t.amount,
            extract(epoch from w.due_at - p.created_at)::float8 as due_seconds,
            (select array_agg(c.detail) from payment_changes c where c.payment_id = p.id) as notes
       from payments p
       join payment_work w on w.reseller_id = p.reseller_id and w.payment_id = p.id
       join transfers t on t.reseller_id = p.reseller_id and t.payment_id = p.id
      where p.id = $1`,
    [id],
  )
  return rows[0]
}

it('every value of a payment is stored where it belongs, whatever else is in its batch', async () => {
  const resellers = [await bench.newReseller(BALANCE), await bench.newReseller(BALANCE)] as const
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 5 }), async (drawn) => {
      const commands = drawn.map((each) => commandOf(each, resellers[each.isSecondReseller ? 1 : 0]))
      const results = await takeTogether(node, commands)
      for (const [index, result] of results.entries()) {
        const { request, decision, nonce, resellerId, ...given } = commands[index] as IntakeCommand
        if (result.verdict !== 'created' || decision === null)
          throw new Error(`not created: ${result.verdict}`)
        const payment = await findPaymentById(bench.database, bench.vault, resellerId, result.payment.id)
        expect(payment).toMatchObject({
          resellerId,
          refid: request.refid,
          productCode: decision.productCode,
          productName: decision.productName,
          account: request.account,
          amount: decision.amount,
          faceValue: decision.faceValue,
          cost: decision.cost,
          code: 0,
          extras: request.extras,
          remarks: request.remarks,
          sender: given.sender,
          memberId: given.memberId,
        })
        expect(await storedOf(result.payment.id)).toEqual({
          provider: given.provider,
          plan_code: decision.planCode,
          request_id: nonce?.requestId,
          due_seconds: decision.dueAfterSeconds,
          is_leased: true,
          remarks: `${decision.productCode} ${request.account}`,
          amount: -decision.cost,
          notes: given.routeNote === null ? null : [given.routeNote],
        })
      }
    }),
    { numRuns: runs(30) },
  )
})

// ── A batch that is run again ──

/** Changes of the work that only another node, or the end of the lease, can have made. */
const TOUCHES = {
  'nothing was done': '',
  'it was asked about': 'questions = 1',
  'its lease was given up': 'is_leased = false',
  'a further attempt began': 'attempt = 2',
  'it was not sent': 'is_unsent = true',
  'it was taken over': `next_at = next_at + interval '1 second'`,
} as const

const TOUCH_NAMES = Object.keys(TOUCHES) as (keyof typeof TOUCHES)[]

const repeat = fc.record({
  isSameRequest: fc.boolean(),
  /** Share of the lease that is over. */
  age: fc.oneof(
    fc.double({ min: 0, max: 0.3, noNaN: true }),
    fc.double({ min: 0.51, max: 0.9, noNaN: true }),
  ),
  touch: fc.constantFrom(...TOUCH_NAMES),
})

it('a command that comes again created its payment only if it is the same request, early and before anybody else', async () => {
  const reseller = await bench.newReseller(BALANCE)
  await fc.assert(
    fc.asyncProperty(repeat, async ({ isSameRequest, age, touch }) => {
      const nonce = newNonce()
      const first = commandFor(reseller, { nonce })
      const [taken] = await takeTogether(node, [first])
      if (taken?.verdict !== 'created') throw new Error(`not created: ${taken?.verdict}`)
      await bench.age(taken.payment, (age * LEASE_MS) / 1_000)
      if (TOUCHES[touch] !== '') {
        await bench.database.query(`update payment_work set ${TOUCHES[touch]} where payment_id = $1`, [
          taken.payment.id,
        ])
      }
      const [again] = await takeTogether(node, [isSameRequest ? first : { ...first, nonce: newNonce() }])
      const isOwn = isSameRequest && age < 0.5 && touch === 'nothing was done'
      expect(again?.verdict).toBe(isOwn ? 'created' : 'existing')
    }),
    // Each touch alone is tried in every run; chance combines them with the rest.
    { numRuns: runs(60), examples: TOUCH_NAMES.map((touch) => [{ isSameRequest: true, age: 0, touch }]) },
  )
})
