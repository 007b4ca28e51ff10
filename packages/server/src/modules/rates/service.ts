import type { Queryable, Tx } from '../../db/database.ts'
import type { RateFilter } from './sql.ts'
import { holdRates, listRateRows, readPresentRates } from './sql.ts'
import type { CurrencyRate, Rates } from './types.ts'

/** Reads the rates that are in force now, by currency. */
export function readRates(connection: Queryable): Promise<Rates> {
  return readPresentRates(connection)
}

/** Lists rates with their history, by currency, the latest first. */
export function listRates(connection: Queryable, filter: RateFilter): Promise<CurrencyRate[]> {
  return listRateRows(connection, filter)
}

/** Keeps rates from changing while a job keeps them with amounts. */
export function keepRatesStill(tx: Tx): Promise<void> {
  return holdRates(tx)
}
