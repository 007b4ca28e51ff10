import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBalance } from '../clients.ts'
import { createReseller } from '../edge.ts'
import { startWarungd } from '../process.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, startService, stopServices, until } from '../service.ts'

let database: TestDatabase
let service: Service

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database })
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

const DEPOSITS = 36
const AT_ONCE = 6

type Row = { sequence: number; amount: number; balance_after: number; remarks: string }
type Attempt = {
  remarks: string
  amount: number
  acknowledged: { sequence: number; balance: number } | undefined
}

/** Makes the arguments of a deposit. Its remarks are its reference too. */
function depositOf(account: string, amount: number, remarks: string): string[] {
  const money = ['--amount', String(amount), '--remarks', remarks, '--reference', remarks]
  return ['deposit', '--reseller', account, ...money]
}

/**
 * Starts a process that deposits. Most are killed at a random moment of their life, of which the commit is a small
 * part.
 */
async function depositAndKill(account: string, number: number): Promise<Attempt> {
  const amount = number + 1
  const remarks = `Deposit ${number}`
  const args = [...depositOf(account, amount, remarks), '--json']
  const command = startWarungd(service.environment, args)
  const isSpared = number % 4 === 0
  const killing = isSpared ? undefined : setTimeout(command.kill9, randomInt(100, 700))
  const { code, stdout } = await command.result
  clearTimeout(killing)
  return { remarks, amount, acknowledged: code === 0 ? JSON.parse(stdout) : undefined }
}

/** Lists the database's processes of commands. */
async function listCommands(): Promise<number[]> {
  const { rows } = await database.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name = 'warungd command'`,
  )
  return rows.map(({ pid }) => pid)
}

it('deposits whose process is killed at any moment: each acknowledged deposit is posted once, and the ledger adds up', async () => {
  const { account, ...credentials } = await createReseller(service)
  const attempts: Attempt[] = []
  const before = await listCommands()
  for (let number = 0; number < DEPOSITS; number += AT_ONCE) {
    const batch = Array.from({ length: AT_ONCE }, (_, index) => depositAndKill(account, number + index))
    attempts.push(...(await Promise.all(batch)))
  }
  // The database may still be at the last statement of a process that was killed.
  await until('the killed ones have let go', async () =>
    (await listCommands()).every((pid) => before.includes(pid)),
  )

  const { rows } = await database.query<Row>(
    `select t.sequence::int, t.amount::int, t.balance_after::int, t.remarks
       from transfers t join resellers r on r.id = t.reseller_id where r.account = $1 order by t.sequence`,
    [account],
  )
  // There is no gap, and each balance is the one before plus the amount.
  let balance = 0
  for (const [index, row] of rows.entries()) {
    balance += row.amount
    expect(row).toMatchObject({ sequence: index + 1, balance_after: balance })
  }
  expect(await readBalance(service, credentials)).toBe(balance / 10_000)

  const byRemarks = new Map(rows.map((row) => [row.remarks, row]))
  expect(byRemarks.size).toBe(rows.length)
  for (const { remarks, amount, acknowledged } of attempts) {
    const row = byRemarks.get(remarks)
    if (acknowledged !== undefined) {
      expect(row).toMatchObject({
        sequence: acknowledged.sequence,
        balance_after: acknowledged.balance * 10_000,
      })
    }
    if (row !== undefined) expect(row.amount).toBe(amount * 10_000)
  }
  // Both kinds occurred, so that the expectations above mean something.
  expect(attempts.some((attempt) => attempt.acknowledged !== undefined)).toBe(true)
  expect(attempts.some((attempt) => attempt.acknowledged === undefined)).toBe(true)

  // All deposits are repeated with their references: each one is there once.
  for (const { remarks, amount } of attempts) {
    const again = await service.warungd(...depositOf(account, amount, remarks))
    expect(again).toMatchObject({ outcome: 'posted', repeated: byRemarks.has(remarks) })
  }
  const { rows: all } = await database.query<{ reference: string }>(
    `select t.reference from transfers t join resellers r on r.id = t.reseller_id where r.account = $1`,
    [account],
  )
  expect(all.map(({ reference }) => reference).sort()).toEqual(attempts.map(({ remarks }) => remarks).sort())
})
