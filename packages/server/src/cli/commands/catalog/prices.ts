import { getReseller } from '../../../modules/accounts/service.ts'
import { createLevel, permit } from '../../../modules/catalog/acts.ts'
import type { CatalogState } from '../../../modules/catalog/model/store.types.ts'
import type { Product } from '../../../modules/catalog/model/types.ts'
import { getProduct } from '../../../modules/catalog/operators.service.ts'
import { loadCatalog } from '../../../modules/catalog/store/load.service.ts'
import { openSnapshotCache } from '../../../modules/catalog/store/snapshot-cache.service.ts'
import { summaryView } from '../../../modules/catalog/summary.view.ts'
import { writeObjectRow } from '../../../modules/catalog/transfer/columns.rules.ts'
import { PRODUCT_COLUMNS } from '../../../modules/catalog/transfer/products.rules.ts'
import { setPrice } from '../../../modules/margins/prices.acts.ts'
import { PRODUCT_OPTION, REASON_OPTION, readReason } from '../../catalog-options.ts'
import { effectiveOptionView, effectiveView, formatSummary, priceView } from '../../catalog-views.ts'
import type { Call, Command, Output } from '../../command.ts'
import { RESELLER_OPTION, UsageError } from '../../command.ts'
import { consentOf, DRY_RUN_OPTION, noteFindings, PRICE_OPTIONS } from '../../consent.ts'
import { actCommand } from '../../kit/acts.ts'
import { wholeNumber } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'
import { supplyWorld } from '../suppliers/routes.ts'

export const levelCommands: readonly Command[] = [
  actCommand({
    name: 'level create',
    summary: 'make a price level; it sells nothing until it has prices',
    act: createLevel,
    options: { 'dry-run': DRY_RUN_OPTION },
    reason: (call) => `level ${call.text('code')} created`,
    world: () => ({}),
    show: ({ summary: _, ...level }) => ({ json: level, text: formatFields(level) }),
  }),
  {
    name: 'level list',
    summary: 'list price levels',
    options: {},
    async run(call) {
      const { levels } = await loadCatalog((await call.runtime()).database)
      const views = [...levels.values()].map(({ code, name, prices }) => ({
        code,
        name,
        prices: prices.size,
      }))
      return { json: { levels: views }, text: formatTable(views, 'There are no price levels.') }
    },
  },
]

export const priceCommands: readonly Command[] = [
  actCommand({
    name: 'catalog price',
    summary: 'set the price of a product at a price level',
    details: `A price below the cheapest route's cost, or one that moves by more than WARUNG_PRICE_CHANGE_MAX_PERCENT, is
shown with its loss on the sales of the last 30 days, and saved only with --accept-loss and that figure.`,
    act: setPrice,
    without: ['discountType', 'value', 'currency'],
    options: {
      level: { value: 'CODE', help: 'the code of a price level', required: true, names: 'price level' },
      product: PRODUCT_OPTION,
      percentage: { value: 'FACTOR', help: 'the part of the face value that is paid, such as 0.985' },
      fixed: { value: 'RINGGIT', help: 'the amount taken off the face value, such as 0.50' },
      none: { help: 'the product can no longer be bought at this level' },
      ...PRICE_OPTIONS,
      reason: REASON_OPTION,
    },
    input(call) {
      const [type, ...others] = ['percentage', 'fixed', 'none'].filter((name) => call.has(name))
      if (type === undefined || others.length > 0) {
        throw new UsageError('give one of --percentage, --fixed, --none')
      }
      const value = call.find(type)
      return { discount_type: type, ...(value !== undefined && { value }) }
    },
    optionNames: (call) => ({ value: call.has('fixed') ? 'fixed' : 'percentage' }),
    reason: (call) => readReason(call, 'price set by command'),
    consent: consentOf,
    world: supplyWorld,
    show({ summary, comparison, level, product, price }, call) {
      noteFindings(call, comparison)
      const counted = summaryView(summary)
      return {
        json: { level, product, price, ...counted },
        text: formatFields({
          level,
          product,
          ...(price ?? { price: null }),
          accounts_affected: counted.accounts_affected,
        }),
      }
    },
  }),
  permissionCommand('catalog permit', 'let a reseller buy a product, restricted ones included', true),
  permissionCommand('catalog forbid', 'keep a reseller from buying a product', false),
  {
    name: 'catalog show',
    summary: 'show a product, as it is or as one reseller sees it',
    options: {
      product: PRODUCT_OPTION,
      reseller: { value: 'ACCOUNT', help: "the reseller's account number", names: 'reseller' },
      limit: { value: 'NUMBER', help: 'at most this many options (default 50)' },
    },
    run: showProduct,
  },
]

function permissionCommand(name: string, summary: string, isAllowed: boolean): Command {
  return actCommand({
    name,
    summary,
    act: permit,
    without: ['account', 'isAllowed'],
    options: {
      reseller: RESELLER_OPTION,
      product: PRODUCT_OPTION,
      'dry-run': DRY_RUN_OPTION,
      reason: REASON_OPTION,
    },
    input: (call) => ({ account: call.text('reseller'), is_allowed: isAllowed }),
    reason: (call) => readReason(call, name),
    world: () => undefined,
    show({ account, product, summary: applied }) {
      const view = { account, product, is_allowed: isAllowed }
      return {
        json: { ...view, ...summaryView(applied) },
        text: `${formatFields(view)}\n${formatSummary(applied)}`,
      }
    },
  })
}

// ── One product ──

const OPTIONS_SHOWN = 50

async function showProduct(call: Call): Promise<Output> {
  const limit = wholeNumber(call.find('limit') ?? String(OPTIONS_SHOWN))
  if (Number.isNaN(limit)) throw new UsageError('--limit: must be a whole number')
  const { database } = await call.runtime()
  const account = call.find('reseller')
  const reseller = account === undefined ? undefined : await getReseller(database, account)
  const state = await loadCatalog(database)
  const product = getProduct(state.base, call.text('product'))
  return reseller === undefined
    ? showBase(state, product, limit)
    : showEffective(state, product, reseller, limit)
}

function showBase(state: CatalogState, product: Product, limit: number): Output {
  const { fields: _, fulfillment: __, legacy: ___, ...plain } = writeObjectRow(PRODUCT_COLUMNS, product)
  const prices = [...state.levels.values()].flatMap((level) => {
    const price = level.prices.get(product.code)
    return price === undefined ? [] : [{ level: level.code, ...priceView(price) }]
  })
  const options = [...(state.base.options.get(product.code)?.values() ?? [])].flat()
  const shown = options.slice(0, limit).map((option) => ({
    field: option.fieldId,
    code: option.code,
    label: option.label,
    is_active: option.isActive,
  }))
  return {
    json: {
      product: writeObjectRow(PRODUCT_COLUMNS, product),
      prices,
      options: shown,
      options_total: options.length,
    },
    text: [
      formatFields(plain),
      `fields: ${product.fields.map((field) => `${field.id} (${field.type}, ${field.role})`).join(', ')}`,
      '',
      formatTable(prices, 'No price level sells it.'),
      '',
      ...optionLines(shown, options.length),
    ].join('\n'),
  }
}

function showEffective(
  state: CatalogState,
  product: Product,
  reseller: { readonly id: bigint; readonly account: string; readonly priceLevel: string },
  limit: number,
): Output {
  const effective = openSnapshotCache().snapshotFor(state, reseller).products.get(product.code)
  if (effective === undefined) throw new Error(`${product.code} is in every account's view`)
  const options = product.fields.flatMap((field) => effective.options(field.id))
  const view = { product: product.code, ...effectiveView(reseller.account, effective) }
  const shown = options.slice(0, limit).map(effectiveOptionView)
  const price = view.price === null ? null : `${view.price.discount_type} ${view.price.value}`
  const adjustment = view.adjustment === null ? null : `${view.adjustment.type} ${view.adjustment.value}`
  return {
    json: { ...view, options: shown, options_total: options.length },
    text: [formatFields({ ...view, price, adjustment }), '', ...optionLines(shown, options.length)].join(
      '\n',
    ),
  }
}

function optionLines(shown: readonly Readonly<Record<string, unknown>>[], total: number): string[] {
  if (total === 0) return ['It has no options.']
  const rest = total - shown.length
  return [formatTable(shown, ''), ...(rest > 0 ? [`… and ${rest} more`] : [])]
}
