import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Runtime } from '../../../packages/server/dist/runtime.js'
import type { Pgbench } from './pgbench.ts'
import { openPgbench } from './pgbench.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../../data/ledger-peer/${name}`, import.meta.url))
const FIRST_BALANCE = 10n ** 15n

/**
 * Makes a database with a bare SQL ledger on the service's server: what a team would write first, without requests,
 * signatures, refids, providers or events. pgbench pays from a random wallet, one transaction for each transfer.
 */
export async function prepareLedger(pgbench: string, runtime: Runtime, wallets: number): Promise<Pgbench> {
  const ledger = await openPgbench(pgbench, runtime, `ledger_${wallets}`, [
    `--file=${fileOf('transfer.sql')}`,
    ...payersFrom(2, wallets + 1),
  ])
  await ledger.execute(await readFile(fileOf('schema.sql'), 'utf8'))
  await ledger.execute(
    `insert into accounts (id, balance)
     select id, case when id = 1 then 0 else ${FIRST_BALANCE} end from generate_series(1, ${wallets + 1}) as id`,
  )
  await ledger.execute('vacuum analyze accounts')
  return ledger
}

/** Makes the options for payers from the accounts of this range. The first account is the house. */
export const payersFrom = (first: number, last: number) => [
  `--define=first=${first}`,
  `--define=last=${last}`,
]
