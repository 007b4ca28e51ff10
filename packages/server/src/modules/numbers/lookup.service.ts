import type { DatabaseClock } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import { invalidFields } from '../../lib/errors.ts'
import type { LivePlans, NumberOperator } from '../../lib/numbers/plans.ts'
import type { DirectoryReseller } from '../accounts/types.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import { findLastSuccess } from '../payments/read/successes.service.ts'
import { judgeOperator, knownNumber, numberProductsOf, productsFor, readAnyNumber } from './rules.ts'
import type { NumberLookup, Sign } from './types.ts'

export type NumberLookups = {
  /** Throws 400 for what is no number. */
  lookUp(reseller: LookupReader, account: string): Promise<NumberLookup>
}

type LookupReader = Pick<DirectoryReseller, 'id' | 'priceLevel'>

export type LookupSettings = {
  readonly database: Database
  readonly clock: Pick<DatabaseClock, 'nowMs'>
  readonly catalog: Pick<Catalog, 'snapshotFor'>
  readonly numbers: LivePlans
}

/** Days for which the caller's own success tells the operator. */
const HISTORY_DAYS = 90

export function createNumberLookups(settings: LookupSettings): NumberLookups {
  const { catalog, numbers } = settings
  return {
    async lookUp(reseller, account) {
      const plans = numbers.current
      const products = numberProductsOf(catalog.snapshotFor(reseller).products.values())
      const countries = [...new Set(products.flatMap(({ field }) => field.numberCountry ?? []))]
      const number = readAnyNumber(account, plans, countries)
      if (number === undefined) throw invalidFields({ account: [NO_NUMBER] })
      const known = knownNumber(number, plans)
      const operators = plans.get(known.country ?? '')?.operators ?? []
      const own = await ownSign(settings, reseller, number, operators)
      const judged = judgeOperator(known, [own])
      const { products: theirs = [] } = operators.find(({ code }) => code === judged.operator?.code) ?? {}
      return { ...known, ...judged, products: productsFor(known, theirs, products) }
    },
  }
}

const NO_NUMBER = 'must be one telephone number; write it with its country, such as +60123456789'

/** Reads the operator from the caller's latest success with a product of one. */
async function ownSign(
  { database, clock }: LookupSettings,
  { id }: LookupReader,
  number: string,
  operators: readonly NumberOperator[],
): Promise<Sign | undefined> {
  const codes = operators.flatMap(({ products }) => products)
  if (codes.length === 0) return undefined
  const query = { resellerId: id, account: number, productCodes: codes, days: HISTORY_DAYS }
  const paid = await findLastSuccess(database, query, clock.nowMs())
  const operator = operators.find(({ products }) => paid !== undefined && products.includes(paid.productCode))
  return paid && operator && { source: 'history', operator, at: paid.createdAt }
}
