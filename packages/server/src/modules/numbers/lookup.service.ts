import type { DatabaseClock } from '../../db/clock.ts'
import type { Database } from '../../db/database.ts'
import { invalidFields } from '../../lib/errors.ts'
import type { LivePlans, NumberOperator } from '../../lib/numbers/plans.ts'
import type { DirectoryReseller } from '../accounts/types.ts'
import { coversProduct } from '../catalog/model/access.rules.ts'
import { findTypedAccountField, numberIn } from '../catalog/model/accounts.rules.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import { findLastSuccess } from '../payments/read/successes.service.ts'
import {
  differenceOf,
  judgeOperator,
  knownNumber,
  numberProductsOf,
  productsFor,
  readAnyNumber,
} from './rules.ts'
import type { SupplierSettings } from './suppliers.service.ts'
import { createSupplierSigns } from './suppliers.service.ts'
import type { KnownNumber, NumberLookup, OperatorDifference, Sign } from './types.ts'

export type NumberLookups = {
  /** Throws 400 for what is no number. */
  lookUp(reseller: LookupReader & KeyProducts, account: string): Promise<NumberLookup>
  /**
   * Looks up for a customer of the reseller: by the prefix, and by what a supplier has said already. No supplier is asked
   * for strangers, and nobody learns to which numbers the shop has sold.
   */
  lookUpForCustomer(reseller: LookupReader & KeyProducts, account: string): Promise<NumberLookup>
  /** Tells whether the operator of the number that a product would be bought for is another one than the product's. */
  difference(
    reseller: LookupReader,
    productCode: string,
    account: string,
  ): Promise<OperatorDifference | undefined>
  sweep(): Promise<void>
}

type LookupReader = Pick<DirectoryReseller, 'id' | 'priceLevel'>

/** Codes that the caller's key may sell; left out: everything. */
type KeyProducts = { readonly keyProducts?: ReadonlySet<string> | undefined }

export type LookupSettings = {
  readonly database: Database
  readonly clock: Pick<DatabaseClock, 'nowMs'>
  readonly catalog: Pick<Catalog, 'snapshotFor' | 'base'>
  readonly numbers: LivePlans
} & SupplierSettings

/** Days for which the caller's own success tells the operator. */
const HISTORY_DAYS = 90

export function createNumberLookups(settings: LookupSettings): NumberLookups {
  const { catalog, numbers } = settings
  const suppliers = createSupplierSigns(settings)

  /** A supplier is asked where nothing else is certain, and its answer can be one of the plan's operators. */
  async function judge(reseller: LookupReader, known: KnownNumber, operators: readonly NumberOperator[]) {
    const question = { number: known.number, country: known.country, operators }
    const signs = await Promise.all([
      ownSign(settings, reseller, known.number, operators),
      suppliers.find(question),
    ])
    const isAsked =
      known.kind !== 'fixed' && operators.length > 0 && signs.every((sign) => sign === undefined)
    return judgeOperator(known, isAsked ? [await suppliers.ask(question)] : signs)
  }

  type Judge = (known: KnownNumber, operators: readonly NumberOperator[]) => ReturnType<typeof judge>

  async function lookUp(reseller: LookupReader & KeyProducts, account: string, judgeNumber: Judge) {
    const plans = numbers.current
    const sold = catalog.snapshotFor(reseller).products
    const products = numberProductsOf(sold.values())
    const countries = [...new Set(products.flatMap(({ field }) => field.numberCountry ?? []))]
    const number = readAnyNumber(account, plans, countries)
    if (number === undefined) throw invalidFields({ account: [NO_NUMBER] })
    const known = knownNumber(number, plans)
    const operators = plans.get(known.country ?? '')?.operators ?? []
    const judged = await judgeNumber(known, operators)
    const { products: theirs = [] } = operators.find(({ code }) => code === judged.operator?.code) ?? {}
    const { keyProducts } = reseller
    const mayBuy = (code: string) =>
      keyProducts === undefined || coversProduct(keyProducts, code, sold.get(code)?.product, catalog.base())
    return { ...known, ...judged, products: productsFor(known, theirs, products).filter(mayBuy) }
  }

  return {
    lookUp: (reseller, account) =>
      lookUp(reseller, account, (known, operators) => judge(reseller, known, operators)),
    lookUpForCustomer: (reseller, account) =>
      lookUp(reseller, account, async (known, operators) => {
        const { number, country } = known
        return judgeOperator(known, [await suppliers.find({ number, country, operators })])
      }),
    async difference(reseller, productCode, account) {
      const plans = numbers.current
      const product = catalog.snapshotFor(reseller).products.get(productCode)
      const field = product && findTypedAccountField(product.product)
      const number = field && numberIn(field, account, plans)
      if (number === undefined) return undefined
      const known = knownNumber(number, plans)
      const operators = plans.get(known.country ?? '')?.operators ?? []
      if (!operators.some(({ products }) => products.includes(productCode))) return undefined
      return differenceOf(await judge(reseller, known, operators), productCode, operators)
    },
    sweep: () => suppliers.sweep(),
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
