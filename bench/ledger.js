import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openPgbench } from './pgbench.js'

const fileOf = (name) => fileURLToPath(new URL(`./ledger-peer/${name}`, import.meta.url))
const FIRST_BALANCE = 10n ** 15n

/**
 * Makes a database with a bare SQL ledger on the service's server: what a team would write first, without requests,
 * signatures, refids, providers or events. pgbench pays from a random wallet, one transaction for each transfer.
 */
export async function prepareLedger(pgbench, runtime, wallets) {
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
export const payersFrom = (first, last) => [`--define=first=${first}`, `--define=last=${last}`]
