import { describe, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import {
  moneyProduct,
  PERCENTAGE,
  sampleBase,
  sampleLevel,
  selectField,
  textField,
} from '../../testing/catalog/catalog-samples.ts'
import { compileAccount } from '../../testing/payments/judging.ts'
import type { DirectoryReseller } from '../accounts/types.ts'
import type { Snapshot } from '../catalog/model/types.ts'
import type { CustomerOrders } from '../orders/core/service.ts'
import type { Order, OrderLine } from '../orders/core/types.ts'
import { ORDER_STATES } from '../orders/core/types.ts'
import { createCheckout, requireDraft, requireOpenShop } from './service.ts'
import type { CustomerAtOrder } from './types.ts'

const PLAN = moneyProduct({
  code: 'PLAN',
  fields: [textField(), selectField({ dataSource: { type: 'dynamic', dependsOn: [], params: {} } })],
})
const { products } = compileAccount(
  sampleBase({ products: [PLAN, moneyProduct()] }),
  sampleLevel({ KITA: PERCENTAGE, PLAN: PERCENTAGE }),
)
const CHECKOUT = createCheckout({
  orders: {} as CustomerOrders,
  catalog: { snapshotFor: () => ({ products }) as Snapshot },
})

function lineOf(line: number, productCode: string): OrderLine {
  return {
    line,
    productCode,
    productName: productCode,
    account: '60123456789',
    amount: 100_000n,
    extras: { subproductCode: null, billerCode: null, ref2: null, icNumber: null },
    quantity: 1,
    unitPrice: 100_000n,
    openFields: [],
  }
}

function customerOf({
  lines,
  version,
  spend,
}: Pick<Order, 'lines' | 'version'> & Pick<CustomerAtOrder, 'spend'>): CustomerAtOrder {
  const order = { state: 'draft', isFixed: false, products: null, lines, version } as unknown as Order
  const reseller = { status: 'active', access: 0 } as DirectoryReseller
  return {
    reseller,
    spend,
    read: { order, missing: new Map(), readAt: new Date() },
  } as unknown as CustomerAtOrder
}

function codeOf(act: () => void): string | undefined {
  try {
    act()
  } catch (error) {
    if (error instanceof RequestError) return error.code
    throw error
  }
  return undefined
}

describe('steps of a customer', () => {
  it.each(ORDER_STATES)('the basket of an order that is %s changes only while it is a draft', (state) => {
    expect(codeOf(() => requireDraft({ state }))).toBe(state === 'draft' ? undefined : 'order_not_open')
  })

  it('a shop that may not pay takes no orders, and its customers are not told why', () => {
    expect(codeOf(() => requireOpenShop({ status: 'active', access: 0 }))).toBeUndefined()
    expect(codeOf(() => requireOpenShop({ status: 'suspended', access: 0 }))).toBe('shop_closed')
    expect(codeOf(() => requireOpenShop({ status: 'active', access: 50 }))).toBe('shop_closed')
  })

  it('each line counts for which a supplier is asked, also those that the basket has already', async () => {
    const version = 3
    const lines = [1, 2, 3].map((number) => lineOf(number, number === 3 ? 'KITA' : 'PLAN'))
    // The count ends each step here, before a supplier would be asked.
    const counted = (act: (customer: CustomerAtOrder) => Promise<unknown>) =>
      new Promise((resolve, reject) => {
        const spend = (kind: string, more = 1) => {
          resolve({ kind, more })
          throw new Error('counted')
        }
        act(customerOf({ lines, version, spend })).catch((error: Error) => {
          if (error.message !== 'counted') reject(error)
        })
      })
    const replaced = counted((customer) =>
      CHECKOUT.replaceItems(customer, version, [{ line: 1 }, { line: 2 }, { line: 3 }]),
    )
    expect(await replaced).toEqual({ kind: 'questions', more: 2 })
    const submitted = counted((customer) => CHECKOUT.submit(customer, version, false))
    expect(await submitted).toEqual({ kind: 'questions', more: 2 })
  })
})
