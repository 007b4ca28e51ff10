import { RequestError } from '../../lib/errors.ts'
import { noSuchName } from '../../lib/input/nearest.ts'
import { findReseller } from '../../modules/accounts/public.sql.ts'
import { listOperators, listUsers, resellerNotFound } from '../../modules/accounts/service.ts'
import type { Runtime } from '../../runtime.ts'
import type { NameKind } from './kinds.ts'

// Options that name something that must exist say so by `names`. They are looked up when the command opens the database,
// so that no command has to do it, and none can forget it.

type Place = Pick<Runtime, 'database' | 'config'> & {
  /** Value of another option of the same call. */
  find(option: string): string | undefined
}

/** Lists the names of a kind as people write them. */
type ListNames = (place: Place) => Promise<readonly string[]>

// Other modules are loaded when one of their names is given: a deposit must not wait for the code of the catalogue.
const catalogue = () => import('../../modules/catalog/operators.service.ts')

const LISTS: Readonly<Record<Exclude<NameKind, 'reseller'>, ListNames>> = {
  product: listProducts,
  async 'routed product'(place) {
    const { listRoutes } = await import('../../modules/providers/connections/routing.service.ts')
    const { ANY_PRODUCT } = await import('../../modules/providers/connections/routing.types.ts')
    const routed = (await listRoutes(place.database)).map(({ productCode }) => productCode)
    return [ANY_PRODUCT, ...(await listProducts(place)), ...routed]
  },
  provider: listProviders,
  'fulfilling provider': listFulfilling,
  async 'settled provider'(place) {
    const { listSettledProviders } = await import('../../modules/settlement/service.ts')
    return [...(await listFulfilling(place)), ...(await listSettledProviders(place.database))]
  },
  async 'price level'({ database }) {
    return (await (await catalogue()).listPriceLevels(database)).map(({ code }) => code)
  },
  async category({ database }) {
    const { loadBase } = await import('../../modules/catalog/store/load.service.ts')
    return (await loadBase(database)).categories.map(({ code }) => code)
  },
  operator: async ({ database }) => (await listOperators(database)).map(({ email }) => email),
  async user({ database, find }) {
    const reseller = await findReseller(database, find('reseller') ?? '')
    return reseller === undefined ? [] : (await listUsers(database, reseller.id)).map((each) => each.username)
  },
}

async function listProducts({ database }: Place): Promise<string[]> {
  return (await catalogue()).listProductCodes(database)
}

async function listProviders({ database }: Place): Promise<string[]> {
  const { listConnections } = await import('../../modules/providers/connections/connections.service.ts')
  return (await listConnections(database)).map(({ code }) => code)
}

/** Lists the providers that payments can go to: staging's simulator has no connection. */
async function listFulfilling(place: Place): Promise<string[]> {
  const { SIMULATOR_CODE } = await import('../../modules/providers/simulator/service.ts')
  const codes = await listProviders(place)
  return place.config.environment === 'staging' ? [...codes, SIMULATOR_CODE] : codes
}

/** People write addresses and user names in capital letters too. */
const ANY_CASE: ReadonlySet<NameKind> = new Set(['operator', 'user'])
const WORDS: Readonly<Partial<Record<NameKind, string>>> = {
  'routed product': 'product',
  'fulfilling provider': 'provider',
  'settled provider': 'provider',
}

/** Refuses the first option that names something that does not exist, with the nearest names. */
export async function refuseUnknownNames(
  options: Readonly<Record<string, { readonly names?: NameKind }>>,
  place: Place,
): Promise<void> {
  for (const [option, { names: kind }] of Object.entries(options)) {
    const name = place.find(option)
    if (kind !== undefined && name !== undefined) await refuseUnknown(kind, name, place)
  }
}

async function refuseUnknown(kind: NameKind, name: string, place: Place): Promise<void> {
  if (kind === 'reseller') {
    if ((await findReseller(place.database, name)) === undefined) {
      throw await resellerNotFound(place.database, name)
    }
    return
  }
  const known = await LISTS[kind](place)
  const spelt = (text: string) => (ANY_CASE.has(kind) ? text.trim().toLowerCase() : text)
  if (known.some((each) => spelt(each) === spelt(name))) return
  const publicText = noSuchName(WORDS[kind] ?? kind, name, new Set(known))
  throw new RequestError({ status: 404, code: 'not_found', publicText })
}
