import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { startOfDayMs } from '../../lib/dates.ts'
import { createReseller } from '../../modules/accounts/service.ts'
import type { PaymentCode } from '../../modules/payments/core/types.ts'
import type { TestDatabase } from '../database.ts'

// Past payments, as the intake would have written them.

export async function newReseller(test: TestDatabase): Promise<bigint> {
  const accounts = { ...test, environment: 'staging' } as const
  const reseller = await createReseller(accounts, {
    name: `Kedai ${randomBytes(4).toString('hex')}`,
    email: 'sejarah@example.com',
    priceLevel: 'STANDARD',
  })
  return reseller.id
}

export type BackfilledPayment = {
  readonly day: number
  /** Milliseconds after the day's beginning. */
  readonly atMs: number
  readonly code: PaymentCode
  readonly productCode: string
  readonly account: string
  readonly amount: bigint
  readonly faceValue: bigint
  readonly cost: bigint
}

export const PAST: BackfilledPayment = {
  day: 0,
  atMs: 0,
  code: 20,
  productCode: 'NOVA',
  account: '60123456789',
  amount: 100_000n,
  faceValue: 100_000n,
  cost: 97_000n,
}

let last = 0

/** Inserts past payments and returns their ids in the same order. No money is moved. */
export async function insertBackfill(
  database: Database,
  resellerId: bigint,
  payments: readonly BackfilledPayment[],
): Promise<bigint[]> {
  const ids: bigint[] = []
  for (const payment of payments) {
    last += 1
    const createdMs = startOfDayMs(payment.day) + payment.atMs
    const id = (BigInt(createdMs) << 20n) | BigInt(last)
    ids.push(id)
    await database.query(
      `insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                             balance_after, code, remarks, failure, sender, member_id, provider, created_at, changed_at)
       values ($1, $2, $3, $4, $4, $5, $6, $7, $8, 0, $9, 'mine', $10, '192.0.2.7', '42', 'sim', $11, $11)`,
      [
        resellerId,
        id,
        `R-${last}`,
        payment.productCode,
        payment.account,
        payment.amount,
        payment.faceValue,
        payment.cost,
        payment.code,
        [0, 1, 20].includes(payment.code) ? null : 'Why',
        new Date(createdMs),
      ],
    )
    if (payment.code === 0 || payment.code === 1) {
      await database.query(
        `insert into payment_work (reseller_id, payment_id, attempt, submitted_at, next_at, is_leased, due_at)
         values ($1, $2, 1, now(), now(), false, now())`,
        [resellerId, id],
      )
    }
  }
  return ids
}

/** Returns the present day by the database's clock. */
export async function today(database: Database): Promise<number> {
  const { rows } = await database.query<{ day: number }>(
    `select (now() at time zone 'Asia/Kuala_Lumpur')::date - date '1970-01-01' as day`,
  )
  return rows[0]?.day ?? Number.NaN
}
