import type { Queryable, Tx } from '../../db/database.ts'
import type { RateFilter } from './sql.ts'
import { findFirstTime, listRateRows, lockRates, readPresentRates } from './sql.ts'
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
export function holdRates(tx: Tx): Promise<void> {
  return lockRates(tx)
}

/** Returns the earliest time at which the currency has a rate; undefined: it never had one. */
export function findFirstRate(connection: Queryable, currency: string): Promise<Date | undefined> {
  return findFirstTime(connection, currency)
}
