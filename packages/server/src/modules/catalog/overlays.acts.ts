import type { Tx } from '../../db/database.ts'
import { whole } from '../../http/codec.ts'
import { shortReason } from '../../lib/input/records.ts'
import { getReseller } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import type { Done } from '../audit/types.ts'
import type { OptionEdit, ProductEdit } from './edit/overlay-edit.rules.ts'
import { editedOptions, editedProducts } from './edit/overlay-edit.rules.ts'
import { changeOverlay } from './edit/overlays.service.ts'
import { removalOf } from './model/merge.rules.ts'
import { optionKey } from './model/state.rules.ts'
import type { OptionKey, OverlayChange, OverlaySummary } from './model/store.types.ts'
import type { Overlay } from './model/types.ts'
import { lockCatalog } from './operators.service.ts'
import { findOverlay } from './store/load.service.ts'
import { overlayView } from './summary.view.ts'

// Changes of one part of a reseller's customisation. The log has that part alone, because the whole may be long.

type Part = { readonly product?: string | undefined; readonly option?: OptionKey | undefined }
type ProductChange = { readonly product: string; readonly edit: ProductEdit }
type OptionChange = { readonly option: OptionKey; readonly edit: OptionEdit }

export type ChangedOverlay = OverlaySummary & {
  readonly account: string
  readonly overlay: Overlay | undefined
}

/** Changes what is named of a product or an option, and leaves the rest as the reseller has it. */
export const setOverlay = act({
  name: 'overlay.set',
  input: whole<{ readonly account: string } & (ProductChange | OptionChange)>(),
  lock: lockCatalog,
  run: (tx, { account, ...wanted }, by: By<unknown>) =>
    changePart(tx, by, { account, part: wanted }, (overlay) =>
      'option' in wanted
        ? { options: editedOptions(overlay, [{ key: wanted.option, edit: wanted.edit }]) }
        : { products: editedProducts(overlay, [{ code: wanted.product, edit: wanted.edit }]) },
    ),
})

/** Removes what the reseller changed of a product or an option, or all that it changed. */
export const removeFromOverlay = act({
  name: 'overlay.remove',
  input: whole<{ readonly account: string } & Part>(),
  lock: lockCatalog,
  run: (tx, { account, product, option }, by: By<unknown>) =>
    changePart(tx, by, { account, part: { product, option } }, (overlay) => {
      if (option !== undefined) return { removed: { options: [option] } }
      if (product !== undefined) return { removed: { products: [product] } }
      return overlay === undefined ? {} : removalOf(overlay)
    }),
})

async function changePart(
  tx: Tx,
  { database, reason }: By<unknown>,
  { account, part }: { readonly account: string; readonly part: Part },
  changeOf: (overlay: Overlay | undefined) => OverlayChange,
): Promise<Done<ChangedOverlay>> {
  const { id } = await getReseller(tx, account)
  const before = await findOverlay(tx, id)
  const summary = await changeOverlay(database, id, changeOf(before), shortReason(reason))
  const overlay = await findOverlay(tx, id)
  return {
    target: { kind: 'overlay', id: account },
    before: partOf(before, part),
    after: partOf(overlay, part),
    result: { ...summary, account, overlay },
  }
}

function partOf(overlay: Overlay | undefined, { product, option }: Part) {
  if (overlay === undefined) return null
  const shown = overlayView({
    ...overlay,
    products: overlay.products.filter(({ code }) => code === product),
    options: overlay.options.filter((each) => option !== undefined && optionKey(each) === optionKey(option)),
  })
  if (option !== undefined) return { options: shown.options }
  return product === undefined ? overlayView(overlay) : { products: shown.products }
}
