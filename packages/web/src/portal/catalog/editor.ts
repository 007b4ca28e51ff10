import { useEffect, useMemo, useState } from 'react'
import type {
  CatalogueEdits,
  CataloguePreview,
  PortalCatalogue,
  PortalProduct,
} from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import { fieldError } from '../../ui/problem.tsx'
import { tabStorage } from '../sell/sale.ts'
import { useMay, useMember } from '../session.ts'
import type { Sides } from './adjustment-field.tsx'
import type { Draft, PlaceDraft, ProductDraft } from './draft.ts'
import { countOf, EMPTY_DRAFT, editsOf, isUnreadable, withMove, withProduct } from './draft.ts'
import { keepDraft, storedDraft } from './stored-draft.ts'

const TYPING_MS = 250

export type Editor = {
  readonly catalog: PortalCatalogue
  readonly draft: Draft
  readonly count: number
  readonly mayChange: boolean
  /** False while an adjustment cannot be read. */
  readonly isReadable: boolean
  /** Error of the preview: what applying would refuse. */
  readonly error: unknown
  readonly newlyLosing: readonly string[]
  /** Codes of changed products whose adjustment the service refuses; the review waits for them. */
  readonly refused: readonly string[]
  /** Words of the service about a refused adjustment. */
  refusalOf(code: string): string | undefined
  /** Figures of the service before and after, for the products that are shown or changed. */
  sidesOf(code: string): Sides | undefined
  change(product: PortalProduct, changes: ProductDraft): void
  move(shown: readonly PortalProduct[], product: PortalProduct, to: number): void
  setGroup(code: string, place: PlaceDraft): void
  setCategory(code: string, place: PlaceDraft): void
  discard(): void
}

/** Keeps the changes of the page and asks the service for what they would do. */
export function useEditor(catalog: PortalCatalogue, shown: readonly string[]): Editor {
  const mayChange = useMay('catalogue.write')
  const { id: member } = useMember()
  const [draft, setDraft] = useState(() => storedDraft(tabStorage(), member, catalog))
  useEffect(() => keepDraft(tabStorage(), member, draft), [member, draft])
  const body = useMemo(() => {
    const edits = editsOf(draft, catalog)
    const edited = edits.products ?? []
    // A product without a change is named as well: the answer has its prices.
    const others = shown.filter((code) => draft.products[code] === undefined).map((code) => ({ code }))
    return { ...edits, products: [...edited, ...others] }
  }, [draft, catalog, shown])
  const settled = useDelayed(body, TYPING_MS)
  const preview = usePortal(
    'portalPreviewCatalogue',
    { body: settled },
    { keepsFormer: true, isEnabled: mayChange && settled.products.length > 0 },
  )
  const refusalOf = (code: string) => fieldError(preview.error, `products.${code}.adjustment.value`)
  const refused = Object.keys(draft.products).filter((code) => refusalOf(code) !== undefined)
  // A refused preview has no figures. They come from another one, without the adjustments that were refused.
  const sound = usePortal(
    'portalPreviewCatalogue',
    { body: withoutAdjustments(settled, refused) },
    { keepsFormer: true, isEnabled: mayChange && refused.length > 0 },
  )
  const figures = (preview.data ?? sound.data)?.data
  const sides = useMemo(() => sidesByCode(figures), [figures])
  return {
    catalog,
    draft,
    count: countOf(draft),
    mayChange,
    isReadable: !Object.values(draft.products).some(isUnreadable),
    error: preview.error,
    newlyLosing: figures?.newly_losing ?? [],
    refused,
    refusalOf,
    sidesOf: (code) => sides.get(code),
    change: (product, changes) => setDraft((former) => withProduct(former, product, changes)),
    move: (list, product, to) => setDraft((former) => withMove(former, list, product, to)),
    setGroup: (code, place) =>
      setDraft((former) => ({ ...former, groups: { ...former.groups, [code]: place } })),
    setCategory: (code, place) =>
      setDraft((former) => ({ ...former, categories: { ...former.categories, [code]: place } })),
    discard: () => setDraft(EMPTY_DRAFT),
  }
}

function withoutAdjustments(edits: CatalogueEdits, codes: readonly string[]): CatalogueEdits {
  const products = (edits.products ?? []).map((product) => {
    const { adjustment: _, ...rest } = product
    return codes.includes(product.code) ? rest : product
  })
  return { ...edits, products }
}

function sidesByCode(preview: CataloguePreview | undefined): ReadonlyMap<string, Sides> {
  return new Map((preview?.products ?? []).map(({ code, before, after }) => [code, { before, after }]))
}
