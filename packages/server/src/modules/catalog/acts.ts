import { Type } from 'typebox'
import type { Queryable } from '../../db/database.ts'
import { input, member } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { orNull } from '../../http/schemas.ts'
import { RequestError } from '../../lib/errors.ts'
import { BOOLEAN, describeRule, nullable } from '../../lib/input/fields.ts'
import { noSuchName } from '../../lib/input/nearest.ts'
import { EXACT } from '../../lib/input/parameters.ts'
import { shortReason } from '../../lib/input/records.ts'
import { ACCOUNT_FIELDS } from '../accounts/fields.service.ts'
import { getReseller } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import { applyBase } from './edit/base.service.ts'
import { CATALOG_FIELDS } from './model/fields.service.ts'
import type { CatalogState } from './model/store.types.ts'
import type { PriceLevel } from './model/types.ts'
import { listPriceLevels, listProductCodes, lockCatalog, setPermission } from './operators.service.ts'

// Changes of one row of the catalogue. They read this node's view of it where that is of the present version.

export type CatalogWorld = { readonly held?: () => CatalogState }

const NAME = member(CATALOG_FIELDS.name, {
  option: { value: 'TEXT', help: `for people; ${describeRule(CATALOG_FIELDS.name)}` },
})

/** Creates a level. It sells nothing until it has prices. */
export const createLevel = act({
  name: 'level.create',
  input: input({ code: member(CATALOG_FIELDS.levelCode), name: NAME }),
  lock: lockCatalog,
  async run(tx, level, { database, reason, world }: By<CatalogWorld>) {
    if ((await listPriceLevels(tx)).some(({ code }) => code === level.code)) throw taken(level.code)
    const held = world.held?.()
    const summary = await applyBase(database, { levels: [level] }, shortReason(reason), { held })
    return { target: levelTarget(level.code), before: null, after: level, result: { ...level, summary } }
  },
})

/** Name in an address, which is answered with the nearest names when there is no such thing. */
export function named(rule: { readonly schema: typeof EXACT.schema }) {
  return member(EXACT, { schema: documentedAs(rule, Type.String()) })
}

export const renameLevel = act({
  name: 'level.update',
  input: input({ code: named(CATALOG_FIELDS.levelCode), name: NAME }),
  lock: lockCatalog,
  async run(tx, level, { database, reason, world }: By<CatalogWorld>) {
    const { name } = await getLevel(tx, level.code)
    const held = world.held?.()
    const summary = await applyBase(database, { levels: [level] }, shortReason(reason), { held })
    const before = { code: level.code, name }
    return { target: levelTarget(level.code), before, after: level, result: { ...level, summary } }
  },
})

/** Lets a reseller buy a product, keeps it from doing so, or lets the rule for everybody hold. */
export const permit = act({
  name: 'permission.set',
  input: input({
    account: member(ACCOUNT_FIELDS.account, {
      schema: documentedAs(
        ACCOUNT_FIELDS.account,
        Type.String({ description: "The reseller's account number" }),
      ),
      identifies: 'reseller',
    }),
    product: named(CATALOG_FIELDS.code),
    isAllowed: member(nullable(BOOLEAN), {
      schema: orNull(
        Type.Boolean(),
        'null: as for everybody, an open product may be bought and a restricted one may not',
      ),
    }),
  }),
  lock: lockCatalog,
  async run(tx, { account, product, isAllowed }, { database, reason }: By<unknown>) {
    const { id: resellerId } = await getReseller(tx, account)
    await requireProduct(tx, product)
    const wanted = { resellerId, productCode: product, isAllowed }
    const { before, summary } = await setPermission(database, wanted, shortReason(reason))
    return {
      target: { kind: 'permission', id: `${account}/${product}` },
      before: { is_allowed: before },
      after: { is_allowed: isAllowed },
      result: { account, product, isAllowed, summary },
    }
  },
})

/** Throws a 404 with the nearest codes for a product that does not exist. */
export async function requireProduct(connection: Queryable, code: string): Promise<void> {
  const codes = await listProductCodes(connection)
  if (!codes.includes(code)) throw notFound(noSuchName('product', code, codes))
}

/** Finds a level, or throws a 404 with the nearest codes. */
export async function getLevel(connection: Queryable, wanted: string): Promise<PriceLevel> {
  const levels = await listPriceLevels(connection)
  const level = levels.find(({ code }) => code === wanted)
  if (level !== undefined) return level
  const codes = levels.map(({ code }) => code)
  throw notFound(noSuchName('price level', wanted, codes))
}

function levelTarget(code: string) {
  return { kind: 'price_level', id: code }
}

function notFound(publicText: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText })
}

function taken(code: string): RequestError {
  const publicText = `There is a price level ${code} already.`
  return new RequestError({ status: 409, code: 'taken', publicText, fields: { code: [publicText] } })
}
