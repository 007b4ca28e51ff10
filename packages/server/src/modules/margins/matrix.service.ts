import { setImmediate } from 'node:timers/promises'
import type { Queryable } from '../../db/database.ts'
import type { CatalogState } from '../catalog/model/store.types.ts'
import type { Product } from '../catalog/model/types.ts'
import type { ProductMargin } from './matrix.rules.ts'
import { marginOf } from './matrix.rules.ts'
import { readSuppliers } from './service.ts'

/**
 * Yields the margins of these products. A product with many options, levels and routes is some milliseconds of work, so
 * that others have their turn between two of them.
 */
export async function* marginsOf(
  connection: Queryable,
  catalog: CatalogState,
  products: readonly Product[],
): AsyncGenerator<ProductMargin> {
  const market = { ...catalog, suppliers: await readSuppliers(connection) }
  for (const product of products) {
    yield marginOf(market, product)
    await setImmediate()
  }
}
