import type { Database } from '../../db/database.ts'
import type { Accounts } from '../../modules/accounts/service.ts'
import { createReseller, updateReseller, within } from '../../modules/accounts/service.ts'
import { listAccountEventRows } from '../../modules/catalog/changes/events.sql.ts'
import type { AccountEvent } from '../../modules/catalog/changes/events.types.ts'
import { applyBase } from '../../modules/catalog/edit/base.service.ts'
import { changePriceLevel } from '../../modules/catalog/edit/overlays.service.ts'
import type { BaseChange, Catalog } from '../../modules/catalog/model/store.types.ts'
import type { Option, WholesalePrice } from '../../modules/catalog/model/types.ts'
import { openCatalog } from '../../modules/catalog/store/snapshots.service.ts'
import type { TestDatabase } from '../database.ts'
import { openTestDatabase } from '../database.ts'
import {
  moneyProduct,
  PERCENTAGE,
  RINGGIT,
  sampleCategory,
  sampleGroup,
  sampleOption,
  sampleProduct,
  selectField,
  textField,
} from './catalog-samples.ts'

export type Account = { readonly id: bigint; readonly account: string; readonly priceLevel: string }

export type CatalogBench = TestDatabase & {
  readonly accounts: Accounts
  newAccount(priceLevel?: string): Promise<Account>
  /** Moves an account as an operator does: the catalog's record and the account's own column in one transaction. */
  moveToLevel(account: Account, levelCode: string): Promise<Account>
  /** Opens a catalog with its own pool and connection, as another node has them. */
  openNode(pollMs?: number): Promise<Catalog>
  /** Lists the events that were expanded for the account so far, in order. */
  eventsOf(account: Account): Promise<AccountEvent[]>
}

export async function openCatalogBench(): Promise<CatalogBench> {
  const test = await openTestDatabase()
  const accounts: Accounts = { database: test.database, vault: test.vault, environment: 'staging' }
  const nodes: Catalog[] = []
  return {
    ...test,
    accounts,
    newAccount: (priceLevel = 'STANDARD') =>
      createReseller(accounts, { name: 'Kedai', email: 'kedai@example.com', priceLevel }),
    moveToLevel: (account, levelCode) =>
      test.database.transaction(async (tx) => {
        await changePriceLevel(tx, account.id, levelCode, 'test')
        return updateReseller(within(tx, accounts), account.id, { priceLevel: levelCode })
      }),
    async openNode(pollMs = 20) {
      const node = await openCatalog({ database: test.openAnother(), pollMs })
      nodes.push(node)
      return node
    },
    async eventsOf(account) {
      const after = { version: 0n, position: 0 }
      return listAccountEventRows(test.database, account.id, { after, limit: 100_000 })
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()))
      await test.close()
    },
  }
}

export const FIXED: WholesalePrice = { discountType: 'fixed', unitPrice: -50_000_000n, currency: 'MYR' }

const biller = selectField({ id: 'biller', role: 'none', order: 3 })

/** One group, two categories, a product of each kind of list, three billers and two levels. */
export const BASE: Required<Omit<BaseChange, 'permissions'>> = {
  groups: [sampleGroup()],
  categories: [sampleCategory(), sampleCategory({ code: 'BILLS', name: 'Bills', displayOrder: 2 })],
  products: [
    sampleProduct(),
    moneyProduct({ displayOrder: 2 }),
    moneyProduct({
      code: 'BILLPAY',
      name: 'Bills',
      categoryCode: 'BILLS',
      kind: 'bill_payment',
      fields: [textField(), ...moneyProduct().fields.slice(1), biller],
      displayOrder: 3,
    }),
  ],
  options: [
    sampleOption(),
    sampleOption({ code: 'N30', label: 'RM 30', denomination: 30n * RINGGIT, displayOrder: 2 }),
    ...makeBillers(3),
  ],
  levels: [
    { code: 'STANDARD', name: 'Standard' },
    { code: 'GOLD', name: 'Gold' },
  ],
  texts: [],
  prices: ['STANDARD', 'GOLD'].flatMap((levelCode) =>
    ['NOVA', 'KITA', 'BILLPAY'].map((productCode) => ({ levelCode, productCode, price: PERCENTAGE })),
  ),
}

export function makeBillers(count: number, change: Partial<Option> = {}): Option[] {
  return Array.from({ length: count }, (_, index) =>
    sampleOption({
      productCode: 'BILLPAY',
      fieldId: 'biller',
      code: `B${index}`,
      label: `Biller ${index}`,
      displayOrder: index,
      denomination: null,
      minAmount: RINGGIT,
      maxAmount: 5_000n * RINGGIT,
      suggestedCategory: 'Utilities',
      additionalDescription: ['Account number as printed on the bill'],
      ...change,
    }),
  )
}

export async function seedBase(database: Database): Promise<void> {
  await applyBase(database, BASE, 'seed')
}
