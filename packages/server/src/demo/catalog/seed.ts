import type { Database, Tx } from '../../db/database.ts'
import { applyBase } from '../../modules/catalog/edit/base.service.ts'
import { changeOverlay } from '../../modules/catalog/edit/overlays.service.ts'
import { isUntouched } from '../../modules/catalog/store/load.service.ts'
import { addNotice } from '../../modules/network/notices.service.ts'
import { demoCatalog } from './catalog.ts'
import { DEMO_OVERLAY } from './overlay.ts'

const REASON = 'Demo catalogue'

export type DemoResellerIds = { readonly first: bigint; readonly second: bigint }

/**
 * Fills an empty catalogue in one transaction: an interrupted start leaves nothing, and the next start seeds
 * again. A catalogue that exists stays unchanged, even if it was edited since.
 */
export async function seedDemoCatalog(database: Database, resellers: DemoResellerIds): Promise<void> {
  if (!(await isUntouched(database))) return
  await database.transaction(async (tx) => {
    await seedDemoBase(tx)
    await seedDemoViews(tx, resellers)
  })
}

/** Seeds the base. Runs before accounts exist, so that no account gets twenty thousand events about billers. */
export async function seedDemoBase(tx: Tx): Promise<void> {
  if (!(await isUntouched(tx))) return
  const catalog = demoCatalog()
  const { created } = await applyBase(within(tx), catalog, REASON)
  // If two nodes found the catalogue empty, the second one changes nothing.
  if (created.products > 0) await addNotice(tx, catalog, ALWAYS_INTERRUPTED)
}

/** Notice that shows integrators an interruption. */
const ALWAYS_INTERRUPTED = {
  target: { kind: 'product', code: 'FP' },
  message: 'The network of this operator is always interrupted.',
  startsAt: null,
  endsAt: null,
  stopsPayments: true,
  createdBy: 'demo',
} as const

/** Seeds the resellers' own data: a permission for the first, a customisation for the second. */
export async function seedDemoViews(tx: Tx, { first, second }: DemoResellerIds): Promise<void> {
  const permissions = [{ resellerId: first, productCode: 'FD', isAllowed: true }]
  await applyBase(within(tx), { permissions }, REASON)
  await changeOverlay(within(tx), second, DEMO_OVERLAY, REASON)
}

function within(tx: Tx): Pick<Database, 'transaction'> {
  return { transaction: (work) => work(tx) }
}
