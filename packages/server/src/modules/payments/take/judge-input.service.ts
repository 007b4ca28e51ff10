import type { LivePlans } from '../../../lib/numbers/plans.ts'
import type { DirectoryReseller } from '../../accounts/types.ts'
import { coversProduct } from '../../catalog/model/access.rules.ts'
import type { Catalog } from '../../catalog/model/store.types.ts'
import type { PaymentRequest } from '../core/types.ts'
import type { JudgeInput } from './judge.rules.ts'

export type JudgingSettings = {
  readonly catalog: Pick<Catalog, 'snapshotFor' | 'base'>
  readonly isStaging: boolean
  /** Tells whether an operator's notice says that the product is not sold. */
  readonly isStopped?: (productCode: string) => boolean
  /** Plans by which numbers are read, as they are now; left out: those that the service knows by itself. */
  readonly numbers?: LivePlans | undefined
}

/** Reads what a request is judged by. `keyProducts`: what the caller's key may sell. */
export function judgeInput(
  { catalog, isStaging, isStopped = () => false, numbers }: JudgingSettings,
  reseller: DirectoryReseller,
  request: PaymentRequest,
  keyProducts: ReadonlySet<string> | undefined,
): JudgeInput {
  const product = catalog.snapshotFor(reseller).products.get(request.product)
  return {
    request,
    reseller,
    product,
    dynamicOptions: undefined,
    isStaging,
    isOutsideKey:
      keyProducts && !coversProduct(keyProducts, request.product, product?.product, catalog.base()),
    isStopped: isStopped(request.product),
    numbers: numbers?.current,
  }
}
