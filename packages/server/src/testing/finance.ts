import { randomBytes } from 'node:crypto'
import type { Queryable } from '../db/database.ts'
import { parseDay, startOfDayMs } from '../lib/dates.ts'
import { createReseller } from '../modules/accounts/service.ts'
import type { Reseller } from '../modules/accounts/types.ts'
import type { TransferKind } from '../modules/wallet/balance/types.ts'
import type { TestDatabase } from './database.ts'
import { openTestDatabase } from './database.ts'

// Wallets with past entries, written by the ledger's own function.

const HOUSE: Readonly<Record<TransferKind, string>> = {
  deposit: 'bank',
  adjustment: 'adjustments',
  commission: 'commissions',
  payment: 'provider_clearing',
  refund: 'provider_clearing',
}

export type Draft = {
  readonly kind: TransferKind
  readonly amount: bigint
  readonly at: Date
  readonly remarks?: string
}

export type FinanceBench = TestDatabase & {
  newReseller(name?: string): Promise<Reseller>
  /** Posts the drafts in order, each in its own commit. */
  post(resellerId: bigint, ...drafts: readonly Draft[]): Promise<void>
  /** Runs a statement as an attacker with all rights on the database: triggers are off. */
  tamper(statement: string, values?: readonly unknown[]): Promise<void>
}

export async function openFinanceBench(): Promise<FinanceBench> {
  const test = await openTestDatabase()
  const { database } = test
  return {
    ...test,
    newReseller: (name = `Kedai ${randomBytes(4).toString('hex')}`) =>
      createReseller(
        { ...test, environment: 'staging' },
        { name, email: 'tutup@example.com', priceLevel: 'STANDARD' },
      ),
    async post(resellerId, ...drafts) {
      for (const draft of drafts) await database.transaction((tx) => postIn(tx, resellerId, draft))
    },
    tamper: (statement, values = []) =>
      database.transaction(async (tx) => {
        await tx.query('set local session_replication_role = replica')
        await tx.query(statement, values)
      }),
  }
}

export async function postIn(connection: Queryable, resellerId: bigint, draft: Draft): Promise<void> {
  const { rows } = await connection.query<{ balance: bigint; sequence: bigint }>(
    'select balance, sequence from lock_wallets(array[$1::bigint])',
    [resellerId],
  )
  const { balance = 0n, sequence = 0n } = rows[0] ?? {}
  await connection.query('select post_entries($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
    draft.kind,
    HOUSE[draft.kind],
    [resellerId],
    [sequence + 1n],
    [draft.amount],
    [balance + draft.amount],
    [draft.kind === 'payment' || draft.kind === 'refund' ? sequence + 1n : null],
    [draft.remarks ?? `No. ${sequence + 1n}`],
    draft.at,
  ])
}

/** Parses a time by GMT+8 such as `2026-10-31 23:59:59.999`. */
export function at(text: string): Date {
  const [day = '', time = '00:00'] = text.split(' ')
  return new Date(`${day}T${time}+08:00`)
}

export function dayNumber(text: string): number {
  const day = parseDay(text)
  if (day === undefined) throw new Error(`${text} is no day`)
  return day
}

export function inDay(day: number, ms: number): Date {
  return new Date(startOfDayMs(day) + ms)
}
