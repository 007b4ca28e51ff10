import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { PERCENTAGE, RINGGIT } from '../../../testing/catalog/catalog-samples.ts'
import type { Account, CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { BASE, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { withBreakableDatabase } from '../../../testing/network/breakable-line.ts'
import type { Catalog } from '../model/store.types.ts'
import type { EffectiveProduct } from '../model/types.ts'
import { openCatalog } from '../store/snapshots.service.ts'
import { lockVersion } from '../store/version.sql.ts'
import { applyBase } from './base.service.ts'
import type { OverlayEdits } from './overlay-preview.service.ts'
import { applyOverlayEdits, previewOverlay } from './overlay-preview.service.ts'
import { priceLines } from './price-lines.rules.ts'

let bench: CatalogBench
let catalog: Catalog
let account: Account

beforeAll(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
  catalog = await bench.openNode()
})

beforeEach(async () => {
  account = await bench.newAccount()
})

afterAll(() => bench.close())

const AGREED = { fingerprint: null, acceptsLoss: false }

function edits(changes: Partial<OverlayEdits>): OverlayEdits {
  return { products: [], options: [], ...changes }
}

function apply(
  wanted: OverlayEdits,
  confirmation = AGREED as { fingerprint: string | null; acceptsLoss: boolean },
) {
  return applyOverlayEdits({ database: bench.database, catalog }, account, wanted, confirmation, 'test')
}

/** Returns the parts of a product that can be compared; its lists are functions. */
function shown(product: EffectiveProduct | undefined) {
  if (product === undefined) return undefined
  const { options: _, findOption: __, ...rest } = product
  return { ...rest, lines: priceLines(product) }
}

const RAISED = edits({
  products: [
    { code: 'NOVA', edit: { displayName: 'Nova ku', adjustment: { type: 'fixed', value: 5_000n } } },
    { code: 'KITA', edit: { isEnabled: false } },
  ],
  options: [{ key: { productCode: 'NOVA', fieldId: 'amount', code: 'N10' }, edit: { rrp: 12n * RINGGIT } }],
})

it('a preview shows what the account sees once it is applied, and changes nothing itself', async () => {
  const { version } = catalog.state()
  const preview = previewOverlay(catalog.state(), account, RAISED)
  expect(shown(catalog.snapshotFor(account).products.get('NOVA'))).toEqual(
    shown(preview.before.products.get('NOVA')),
  )
  expect(catalog.state().version).toBe(version)
  const { summary } = await apply(RAISED, { fingerprint: preview.fingerprint, acceptsLoss: false })
  expect(summary.isChanged).toBe(true)
  for (const code of ['NOVA', 'KITA', 'BILLPAY']) {
    expect(shown(catalog.snapshotFor(account).products.get(code)), code).toEqual(
      shown(preview.after.products.get(code)),
    )
  }
})

it('fields that an edit leaves out stay as the account has them', async () => {
  await apply(RAISED)
  await apply(edits({ products: [{ code: 'NOVA', edit: { isEnabled: false } }] }))
  expect(catalog.snapshotFor(account).products.get('NOVA')).toMatchObject({
    name: 'Nova ku',
    isActive: false,
    adjustment: { type: 'fixed', value: 5_000n },
  })
  await apply(edits({ removed: { products: ['NOVA'] } }))
  expect(catalog.snapshotFor(account).products.get('NOVA')).toMatchObject({
    isActive: true,
    adjustment: null,
  })
})

it('an edit agreed to on another picture of the catalogue is refused and changes nothing', async () => {
  const { fingerprint } = previewOverlay(catalog.state(), account, RAISED)
  await apply(edits({ products: [{ code: 'NOVA', edit: { displayName: 'Other' } }] }))
  await expect(apply(RAISED, { fingerprint, acceptsLoss: false })).rejects.toMatchObject({
    status: 409,
    code: 'changed_meanwhile',
  })
  expect(catalog.snapshotFor(account).products.get('NOVA')?.name).toBe('Other')
})

it('two edits that agreed to the same preview at once: one is applied', async () => {
  const { fingerprint } = previewOverlay(catalog.state(), account, RAISED)
  const results = await Promise.allSettled(
    ['One', 'Two'].map((displayName) =>
      apply(edits({ products: [{ code: 'NOVA', edit: { displayName } }] }), {
        fingerprint,
        acceptsLoss: false,
      }),
    ),
  )
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

it('a new loss must be accepted, one that was there before need not be again', async () => {
  const loss = edits({
    products: [{ code: 'NOVA', edit: { adjustment: { type: 'fixed', value: -20_000n } } }],
  })
  expect(previewOverlay(catalog.state(), account, loss).newlyLosing).toEqual(['NOVA'])
  await expect(apply(loss)).rejects.toMatchObject({ status: 409, code: 'loss_not_accepted' })
  await apply(loss, { fingerprint: null, acceptsLoss: true })
  const renamed = edits({ products: [{ code: 'NOVA', edit: { displayName: 'Still' } }] })
  expect((await apply(renamed)).summary.isChanged).toBe(true)
})

it('a price of zero or less is refused by the preview as by the edit, also where a loss is accepted', async () => {
  const given = edits({
    products: [{ code: 'NOVA', edit: { adjustment: { type: 'fixed', value: -99n * RINGGIT } } }],
  })
  const refusal = {
    status: 400,
    fields: { 'products.NOVA.adjustment.value': [expect.stringContaining('RM 10 would be MYR -89.00')] },
  }
  expect(() => previewOverlay(catalog.state(), account, given)).toThrow(expect.objectContaining(refusal))
  await expect(apply(given, { fingerprint: null, acceptsLoss: true })).rejects.toMatchObject(refusal)
  expect(catalog.snapshotFor(account).products.get('NOVA')?.adjustment).toBeNull()
})

it('a product that the account may not sell is not shown to it by asking for its customisation back', async () => {
  const permission = { resellerId: account.id, productCode: 'KITA', isAllowed: false }
  await applyBase(bench.database, { permissions: [permission] }, 'test')
  await catalog.refresh()
  const wanted = edits({
    removed: {
      products: ['KITA', 'NOVA'],
      options: [{ productCode: 'KITA', fieldId: 'amount', code: 'K1' }],
    },
  })
  const { products } = previewOverlay(catalog.state(), account, wanted)
  expect(products.map(({ after }) => after.product.code)).toEqual(['NOVA'])
})

it('lines of an amount that the customer chooses lie within what may be paid, its ends among them', async () => {
  await apply(
    edits({ products: [{ code: 'KITA', edit: { minAmount: 20n * RINGGIT, maxAmount: 60n * RINGGIT } }] }),
  )
  const kita = catalog.snapshotFor(account).products.get('KITA')
  const lines = kita === undefined ? [] : priceLines(kita)
  expect(lines.map(({ denomination }) => denomination / RINGGIT)).toEqual([20n, 50n, 60n])
  for (const { price, cost, margin } of lines) expect(margin).toBe(price - cost)
})

it('an edit that waited for a writer of prices is judged by the new prices', async () => {
  const markup = edits({
    products: [{ code: 'NOVA', edit: { adjustment: { type: 'percentage', value: 99_000_000n } } }],
  })
  const { fingerprint, newlyLosing } = previewOverlay(catalog.state(), account, markup)
  expect(newlyLosing).toEqual([])
  const price = (unitPrice: bigint) => ({
    prices: [{ levelCode: 'STANDARD', productCode: 'NOVA', price: { ...PERCENTAGE, unitPrice } }],
  })
  const outcomes = await bench.database.transaction(async (tx) => {
    await lockVersion(tx)
    const begun = [fingerprint, null].map((agreed) => beginApplying(markup, agreed))
    for (const { hasRefreshed } of begun) await hasRefreshed
    await applyBase({ transaction: (work) => work(tx) }, price(99_500_000n), 'test')
    return begun.map(({ outcome }) => outcome)
  })
  const [agreed, unseen] = await Promise.all(outcomes.map((outcome) => outcome()))
  await applyBase(bench.database, price(PERCENTAGE.unitPrice), 'test')
  expect(agreed).toMatchObject({ status: 409, code: 'changed_meanwhile' })
  expect(unseen).toMatchObject({ status: 409, code: 'loss_not_accepted' })
})

/** Begins to apply edits on a node whose view of the catalogue moves only when it is refreshed. */
function beginApplying(wanted: OverlayEdits, fingerprint: string | null) {
  let tell = () => {}
  const hasRefreshed = new Promise<void>((resolve) => {
    tell = resolve
  })
  let held = catalog.state()
  const node = {
    state: () => held,
    async refresh() {
      await catalog.refresh()
      held = catalog.state()
      tell()
    },
  }
  const confirmation = { fingerprint, acceptsLoss: false }
  const settings = { database: bench.database, catalog: node }
  const applied = applyOverlayEdits(settings, account, wanted, confirmation, 'test').catch(
    (error: unknown) => error,
  )
  return { hasRefreshed, outcome: () => applied }
}

it('an edit that names a product or an option twice is refused, and changes nothing', async () => {
  await catalog.refresh()
  const { version } = catalog.state()
  const option = { productCode: 'NOVA', fieldId: 'amount', code: 'N10' }
  const twice = edits({
    products: [
      { code: 'NOVA', edit: { displayName: 'Nova ku' } },
      { code: 'NOVA', edit: { isEnabled: false } },
    ],
    options: [
      { key: option, edit: { rrp: 12n * RINGGIT } },
      { key: option, edit: { isEnabled: false } },
    ],
  })
  const refusal = {
    status: 400,
    fields: {
      'products.NOVA.code': ['is given twice'],
      'options.NOVA:amount:N10.code': ['is given twice'],
    },
  }
  expect(() => previewOverlay(catalog.state(), account, twice)).toThrow(expect.objectContaining(refusal))
  await expect(apply(twice)).rejects.toMatchObject(refusal)
  await catalog.refresh()
  expect(catalog.state().version).toBe(version)
})

it('a customisation that the base has outgrown does not stop the account from changing other things', async () => {
  const kita = BASE.products.find(({ code }) => code === 'KITA')
  if (kita === undefined) throw new Error('the base sells KITA')
  await apply(
    edits({
      products: [{ code: 'KITA', edit: { minAmount: 10n * RINGGIT } }],
      groups: [{ code: 'LATER', isOwn: true, name: 'Mine', iconUrl: null, displayOrder: null }],
    }),
  )
  const later = { code: 'LATER', name: 'Later', iconUrl: '', displayOrder: 9, isActive: false }
  await applyBase(
    bench.database,
    { products: [{ ...kita, minAmount: 20n * RINGGIT }], groups: [later] },
    'test',
  )
  await catalog.refresh()
  await apply(edits({ products: [{ code: 'NOVA', edit: { isEnabled: false } }] }))
  await apply(edits({ products: [{ code: 'KITA', edit: { displayName: 'Kita ku' } }] }))
  expect(catalog.snapshotFor(account).products.get('KITA')).toMatchObject({
    name: 'Kita ku',
    minAmount: 20n * RINGGIT,
  })
  const lower = edits({ products: [{ code: 'KITA', edit: { minAmount: 12n * RINGGIT } }] })
  await expect(apply(lower)).rejects.toMatchObject({
    fields: { 'products.KITA.minAmount': ['must be at least 20.00'] },
  })
  await applyBase(bench.database, { products: [kita] }, 'test')
})

it('an edit is reported as made when this node cannot read the catalogue right after it', async () => {
  await withBreakableDatabase(bench.connection, async (database, line) => {
    const own = await openCatalog({ database })
    const record = async () => line.cut()
    const settings = { database: bench.database, catalog: own, record }
    const { summary } = await applyOverlayEdits(settings, account, RAISED, AGREED, 'test')
    expect(summary.isChanged).toBe(true)
    await own.close()
  })
  await catalog.refresh()
  expect(catalog.snapshotFor(account).products.get('NOVA')).toMatchObject({ name: 'Nova ku' })
})
