import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBalance } from '../clients.ts'
import type { TestReseller } from '../edge.ts'
import { createReseller } from '../edge.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, makeDirectory, openService, stopServices, until } from '../service.ts'

// The ledger as an operator keeps and checks it, beside a running service.

type Report = {
  ok: boolean
  wallets: number
  entries: number
  unchained: number
  sums: { wallets: number; total: number } | null
  first_break: { kind: string; account: string; sequence: number; expected: string; found: string } | null
}
type Posted = { sequence: number; balance: number; created_at: string; repeated?: boolean }
type Refusal = { code: string; message: string }

let database: TestDatabase
let service: Service

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database })
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

function post(reseller: TestReseller, command: string, amount: number, ...more: string[]): Promise<Posted> {
  return service.warungd(...posting(reseller, command, amount), ...more)
}

function posting(reseller: TestReseller, command: string, amount: number): string[] {
  return [command, '--reseller', reseller.account, `--amount=${amount}`, '--remarks', `Because of ${amount}`]
}

async function refused(...args: string[]): Promise<Refusal> {
  const { code, stdout } = await service.tryWarungd(...args, '--json')
  expect(code).toBe(1)
  return JSON.parse(stdout).error
}

async function verify(...args: string[]): Promise<{ code: number; report: Report }> {
  const { code, stdout } = await service.tryWarungd('ledger', 'verify', ...args, '--json')
  return { code, report: JSON.parse(stdout) as Report }
}

/** Runs a statement as an attacker with all rights on the database. */
async function tamper(statement: string): Promise<void> {
  await database.query('set session_replication_role = replica')
  await database.query(statement)
  await database.query('set session_replication_role = origin')
}

it('deposits, commissions and adjustments move the balance that the API shows', async () => {
  const reseller = await createReseller(service)
  await post(reseller, 'deposit', 100)
  await post(reseller, 'commission', 2.5)
  expect(await post(reseller, 'adjust', -50)).toMatchObject({ sequence: 3, balance: 52.5 })
  expect(await readBalance(service, reseller)).toBe(52.5)
  expect(await refused(...posting(reseller, 'adjust', -52.51))).toMatchObject({
    code: 'insufficient_balance',
    message: expect.stringContaining('52.50'),
  })
  expect(await readBalance(service, reseller)).toBe(52.5)
})

it('a deposit that is tried again under its reference is there once, however often and at once', async () => {
  const reseller = await createReseller(service)
  const tries = await Promise.all(
    Array.from({ length: 4 }, () => post(reseller, 'deposit', 30, '--reference', 'BANK-1')),
  )
  expect(tries.filter((each) => each.repeated === false)).toHaveLength(1)
  for (const each of tries) expect(each).toMatchObject({ sequence: 1, balance: 30 })
  expect(await readBalance(service, reseller)).toBe(30)
  expect(await refused(...posting(reseller, 'deposit', 31), '--reference', 'BANK-1')).toMatchObject({
    code: 'reference_taken',
  })
  expect(await readBalance(service, reseller)).toBe(30)
})

it('the balance as of an instant is what the wallet held then', async () => {
  const reseller = await createReseller(service)
  const account = ['--reseller', reseller.account]
  const at = (instant: string) =>
    service.warungd<{ balance: number; entry_at: string }>('ledger', 'balance', ...account, '--at', instant)
  await post(reseller, 'deposit', 10)
  const first = await at('2999-01-01T00:00:00Z')
  await post(reseller, 'deposit', 5)
  expect(await at(first.entry_at)).toMatchObject({ balance: 10 })
  expect(await at('2999-01-01T00:00:00Z')).toMatchObject({ balance: 15 })
  expect(await at('2020-01-01T00:00:00Z')).toMatchObject({ balance: 0 })
})

it('a whole ledger verifies, and one that was tampered with does not, from then on', async () => {
  const reseller = await createReseller(service)
  for (const amount of [10, 20, 30]) await post(reseller, 'deposit', amount)
  await service.warungd('ledger', 'chain')
  // The service chains too, and the command skips the wallets that the service has locked.
  await until('everything is chained', async () => (await verify()).report.unchained === 0)
  const heads = await service.warungd('ledger', 'heads')
  const file = join(await makeDirectory(), 'heads.json')
  await writeFile(file, JSON.stringify(heads))

  const whole = await verify('--heads', file)
  expect(whole).toMatchObject({ code: 0, report: { ok: true, first_break: null, sums: { total: 0 } } })
  expect(await service.warungd('ledger', 'house')).toMatchObject({
    wallets: whole.report.sums?.wallets,
    total: 0,
  })

  await tamper(
    `update transfers t set remarks = 'Because' from resellers r
      where r.id = t.reseller_id and r.account = '${reseller.account}' and t.sequence = 2`,
  )
  for (const more of [[], ['--reseller', reseller.account], ['--heads', file]]) {
    const broken = await verify(...more)
    const expected = { kind: 'hash', account: reseller.account, sequence: 2 }
    expect(broken).toMatchObject({ code: 1, report: { ok: false, first_break: expected } })
  }
})
