import type { Amount } from '../../../lib/money.ts'
import { MONEY } from '../../../lib/money.ts'
import { ADDEND } from '../../../lib/posted-amounts.ts'
import { FACTOR } from '../../../lib/rates.ts'
import type { OptionKey } from '../../../modules/catalog/model/store.types.ts'
import type { Overlay, PriceAdjustment } from '../../../modules/catalog/model/types.ts'
import { getProduct } from '../../../modules/catalog/operators.service.ts'
import { removeFromOverlay, setOverlay } from '../../../modules/catalog/overlays.acts.ts'
import { findOverlay, loadBase } from '../../../modules/catalog/store/load.service.ts'
import { overlayView } from '../../../modules/catalog/summary.view.ts'
import { PRODUCT_OPTION, REASON_OPTION, readOne, readReason } from '../../catalog-options.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { RESELLER_OPTION, UsageError } from '../../command.ts'
import { DRY_RUN_OPTION } from '../../consent.ts'
import { actCommand } from '../../kit/acts.ts'
import { openReseller } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

const OPTION: Option = { value: 'CODE', help: 'one option of the product' }
const FIELD: Option = { value: 'ID', help: 'the field of the option, where several have options' }

const PRODUCT_EDITS: Readonly<Record<string, Option>> = {
  on: { help: 'sell it' },
  off: { help: 'do not sell it' },
  name: { value: 'TEXT', help: "the reseller's own name for the product; empty: the usual one" },
  'adjust-fixed': { value: 'RINGGIT', help: 'add to the price; to take off: --adjust-fixed=-0.50' },
  'adjust-percentage': { value: 'FACTOR', help: 'multiply the price, such as 1.02' },
  'no-adjustment': { help: 'leave the price as it is' },
  min: { value: 'AMOUNT', help: 'the smallest amount; empty: the usual one' },
  max: { value: 'AMOUNT', help: 'the largest amount; empty: the usual one' },
}

const OPTION_EDITS: Readonly<Record<string, Option>> = {
  rrp: { value: 'RINGGIT', help: 'with --option: the price to the customer; empty: the usual one' },
}

export const overlayCommands: readonly Command[] = [
  {
    name: 'overlay show',
    summary: "show a reseller's own changes of the catalogue",
    options: { reseller: RESELLER_OPTION },
    async run(call) {
      const { accounts, reseller } = await openReseller(call)
      return showOverlay(await findOverlay(accounts.database, reseller.id), reseller)
    },
  },
  actCommand({
    name: 'overlay set',
    summary: "change a reseller's view of a product or an option",
    details: `Without --option about the product: --on, --off, --name, --adjust-…, --min, --max. With --option about that
option: --on, --off, --rrp. What is not given stays as the reseller has it.`,
    act: setOverlay,
    options: {
      reseller: RESELLER_OPTION,
      product: PRODUCT_OPTION,
      option: OPTION,
      field: FIELD,
      ...PRODUCT_EDITS,
      ...OPTION_EDITS,
      'dry-run': DRY_RUN_OPTION,
      reason: REASON_OPTION,
    },
    async input(call) {
      const wanted = call.has('option') ? await readOptionEdit(call) : readProductEdit(call)
      return { account: call.text('reseller'), ...wanted }
    },
    reason: (call) => readReason(call, 'overlay set by command'),
    world: () => undefined,
    show: ({ overlay, account }) => showOverlay(overlay, { account }),
  }),
  actCommand({
    name: 'overlay remove',
    summary: "remove a reseller's own changes: all of them, or those of one product or option",
    act: removeFromOverlay,
    options: {
      reseller: RESELLER_OPTION,
      product: { value: 'CODE', help: 'only the changes of this product itself', names: 'product' },
      option: OPTION,
      field: FIELD,
      'dry-run': DRY_RUN_OPTION,
      reason: REASON_OPTION,
    },
    async input(call) {
      const product = call.find('product')
      if (product === undefined && call.has('option')) throw new UsageError('--option goes with --product')
      const option = call.has('option') ? await readKey(call) : undefined
      return { account: call.text('reseller'), product, option }
    },
    reason: (call) => readReason(call, 'overlay removed by command'),
    world: () => undefined,
    show({ account, isChanged, version, overlay }) {
      const view = { account, is_changed: isChanged, version: Number(version) }
      return {
        json: { ...view, overlay: overlay === undefined ? null : overlayView(overlay) },
        text: formatFields(view),
      }
    },
  }),
]

// ── Edits ──

function readProductEdit(call: Call) {
  refuseOthers(call, OPTION_EDITS, 'is for options: give --option as well')
  const isEnabled = readSwitch(call)
  const name = call.find('name')
  const edit = {
    ...(isEnabled === undefined ? {} : { isEnabled }),
    ...(name === undefined ? {} : { displayName: name === '' ? null : name }),
    ...readAdjustment(call),
    ...(call.has('min') ? { minAmount: readAmount(call, 'min') } : {}),
    ...(call.has('max') ? { maxAmount: readAmount(call, 'max') } : {}),
  }
  if (Object.keys(edit).length === 0) {
    throw new UsageError(`give at least one of ${namesOf(PRODUCT_EDITS)}`)
  }
  return { product: call.text('product'), edit }
}

async function readOptionEdit(call: Call) {
  const { on: _, off: __, ...productOnly } = PRODUCT_EDITS
  refuseOthers(call, productOnly, 'is for products: leave --option out')
  const isEnabled = readSwitch(call)
  const edit = {
    ...(isEnabled === undefined ? {} : { isEnabled }),
    ...(call.has('rrp') ? { rrp: readAmount(call, 'rrp') } : {}),
  }
  if (Object.keys(edit).length === 0) throw new UsageError('give at least one of --on, --off, --rrp')
  return { option: await readKey(call), edit }
}

function refuseOthers(call: Call, options: Readonly<Record<string, Option>>, words: string): void {
  const stray = Object.keys(options).find((name) => call.has(name))
  if (stray !== undefined) throw new UsageError(`--${stray} ${words}`)
}

function namesOf(options: Readonly<Record<string, Option>>): string {
  return Object.keys(options)
    .map((name) => `--${name}`)
    .join(', ')
}

function readSwitch(call: Call): boolean | undefined {
  if (call.has('on') && call.has('off')) throw new UsageError('give --on or --off, not both')
  return call.has('on') ? true : call.has('off') ? false : undefined
}

/** Reads an amount; null if the option is empty. */
function readAmount(call: Call, name: string): Amount | null {
  const value = call.find(name) ?? ''
  return value === '' ? null : readOne(name, MONEY, value)
}

function readAdjustment(call: Call): { readonly adjustment?: PriceAdjustment | null } {
  const names = ['adjust-fixed', 'adjust-percentage', 'no-adjustment']
  const [given, another] = names.filter((name) => call.has(name))
  if (another !== undefined) throw new UsageError(`give only one of --${names.join(', --')}`)
  if (given === undefined) return {}
  if (given === 'no-adjustment') return { adjustment: null }
  const adjustment: PriceAdjustment =
    given === 'adjust-fixed'
      ? { type: 'fixed', value: readOne(given, ADDEND, call.text(given)) }
      : { type: 'percentage', value: readOne(given, FACTOR, call.text(given)) }
  return { adjustment }
}

/** Finds the option that --product, --option and perhaps --field name. */
async function readKey(call: Call): Promise<OptionKey> {
  const { database } = await call.runtime()
  const product = getProduct(await loadBase(database), call.text('product'))
  const lists = product.fields.filter((field) => field.dataSource?.type === 'reference')
  const fieldId = call.find('field') ?? (lists.length === 1 ? lists[0]?.id : undefined)
  if (fieldId === undefined) {
    throw new UsageError(
      lists.length === 0
        ? `${product.code} has no options`
        : `--field: say which of ${lists.map((field) => field.id).join(', ')}`,
    )
  }
  return { productCode: product.code, fieldId, code: call.text('option') }
}

// ── Output ──

function showOverlay(overlay: Overlay | undefined, reseller: { readonly account: string }): Output {
  if (overlay === undefined) {
    return { json: { account: reseller.account, overlay: null }, text: 'Nothing is changed.' }
  }
  const view = overlayView(overlay)
  const products = view.products.map((product) => ({
    ...product,
    adjustment: product.adjustment === null ? null : `${product.adjustment.type} ${product.adjustment.value}`,
  }))
  const parts = { groups: view.groups, categories: view.categories, products, options: view.options }
  const tables = Object.entries(parts).flatMap(([name, rows]) =>
    rows.length === 0 ? [] : [`${name}:\n${formatTable(rows, '')}`],
  )
  return { json: { account: reseller.account, overlay: view }, text: tables.join('\n\n') }
}
