import type { BaseChange } from '../../modules/catalog/model/store.types.ts'
import { listBillers } from './billers.ts'
import { BILLS, EDUCATION } from './bills.ts'
import { ESIMS, GAMES, GIFT_CARDS, VOUCHERS } from './leisure.ts'
import type { DemoProduct } from './make.ts'
import { MOBILE } from './mobile.ts'
import { EWALLETS, FINANCE, TRANSPORT } from './money.ts'
import { DEMO_CATEGORIES, DEMO_GROUPS } from './structure.ts'
import { DEMO_TEXTS } from './texts.ts'

const PRODUCTS: readonly DemoProduct[] = [
  ...MOBILE,
  ...BILLS,
  ...EDUCATION,
  ...GAMES,
  ...GIFT_CARDS,
  ...ESIMS,
  ...TRANSPORT,
  ...EWALLETS,
  ...VOUCHERS,
  ...FINANCE,
]

export const STANDARD_LEVEL = { code: 'STANDARD', name: 'Standard' }
export const BORNEO_LEVEL = { code: 'BORNEO', name: 'Borneo' }

/** Returns everything that the demo sells: fictional brands, prices in ringgit. */
export function demoCatalog(): Required<Omit<BaseChange, 'permissions'>> {
  return {
    groups: DEMO_GROUPS,
    categories: DEMO_CATEGORIES,
    products: PRODUCTS.map(({ product }, index) => ({ ...product, displayOrder: index + 1 })),
    options: [...PRODUCTS.flatMap(({ options }) => options), ...listBillers('BILLPAY', 'biller')],
    levels: [STANDARD_LEVEL, BORNEO_LEVEL],
    texts: DEMO_TEXTS,
    prices: PRODUCTS.flatMap(({ product, standard, borneo }) => [
      { levelCode: STANDARD_LEVEL.code, productCode: product.code, price: standard },
      { levelCode: BORNEO_LEVEL.code, productCode: product.code, price: borneo },
    ]),
  }
}
