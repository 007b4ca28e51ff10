import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useLive } from '../../api/live.ts'
import type { PortalCatalogue } from '../../api/portal.generated.ts'
import { portalKey, usePortal } from '../../api/portal.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Segment, SelectField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { PORTAL } from '../messages.ts'
import { currentCategory, drafted, EMPTY_DRAFT, productsIn, productsLike, treeOf } from './draft.ts'
import type { Editor } from './editor.ts'
import { useEditor } from './editor.ts'
import { CATALOG } from './messages.ts'
import { OwnGroupDialog, RenameDialog } from './product-dialog.tsx'
import { ProductTable, Tree } from './product-table.tsx'
import { ReviewBar } from './review-dialog.tsx'
import './catalogue.css'

/** Editor of what the customers see, and of what is earned on it. */
export function Page() {
  const client = useQueryClient()
  const reading = usePortal('portalGetCatalogue', {})
  useLive(['catalog'], () => {
    void client.invalidateQueries({ queryKey: portalKey('portalGetCatalogue') })
    void client.invalidateQueries({ queryKey: portalKey('portalPreviewCatalogue') })
  })
  const pages = useText(PORTAL)
  if (reading.data === undefined) {
    return (
      <>
        <PageHead title={pages.catalogue} />
        <Panel isFlush>
          <Loaded reading={reading} bones={10}>
            {() => null}
          </Loaded>
        </Panel>
      </>
    )
  }
  return <CatalogEditor catalog={reading.data.data} />
}

function CatalogEditor({ catalog }: { catalog: PortalCatalogue }) {
  const text = useText(CATALOG)
  const pages = useText(PORTAL)
  const [search, change] = useFilters()
  const isLosing = search.at_loss === 'true'
  const wanted = search.search ?? ''
  const category = isLosing || wanted !== '' ? undefined : currentCategory(catalog, search)
  // Products of the view as they are stored: a change moves no row out of the preview.
  const viewed = useMemo(() => {
    if (isLosing) return catalog.products.filter((product) => product.has_loss_risk)
    if (wanted !== '') return productsLike(catalog, wanted)
    return productsIn(catalog, EMPTY_DRAFT, category ?? '')
  }, [catalog, isLosing, wanted, category])
  const codes = useMemo(() => viewed.map(({ code }) => code), [viewed])
  const editor = useEditor(catalog, codes)
  const [isAdding, setAdding] = useState(false)
  const products = category === undefined ? viewed : productsIn(catalog, editor.draft, category)
  return (
    <>
      <PageHead
        title={pages.catalogue}
        about={editor.mayChange ? text.about : text.viewerNote}
        actions={
          <>
            <Segment
              label={text.margin}
              value={isLosing ? 'true' : ''}
              onValue={(value) => change({ at_loss: value, search: undefined })}
              options={[
                { value: '', label: text.everything },
                { value: 'true', label: text.onlyLosing },
              ]}
            />
            <div className="input find">
              <Icon name="search" />
              <input
                type="search"
                aria-label={text.findLabel}
                placeholder={text.find}
                value={wanted}
                onChange={(event) => change({ search: event.target.value, at_loss: undefined })}
                data-find=""
              />
            </div>
            {editor.mayChange ? (
              <Button icon="plus" onClick={() => setAdding(true)}>
                {text.ownGroup}
              </Button>
            ) : null}
          </>
        }
      />
      <div className="cat">
        <Tree editor={editor} current={category} />
        <div className="stack">
          <CategorySelect editor={editor} current={category} />
          <ProductsPanel editor={editor} category={category} products={products} />
          <ReviewBar editor={editor} />
        </div>
      </div>
      {isAdding ? <OwnGroupDialog editor={editor} onClose={() => setAdding(false)} /> : null}
    </>
  )
}

type ProductsPanelProps = {
  editor: Editor
  category: string | undefined
  products: PortalCatalogue['products']
}

function ProductsPanel({ editor, category, products }: ProductsPanelProps) {
  const text = useText(CATALOG)
  const [search] = useFilters()
  const [isRenaming, setRenaming] = useState(false)
  const place = treeOf(editor.catalog, editor.draft)
    .flatMap(({ categories }) => categories)
    .find(({ code }) => code === category)
  const isLosing = search.at_loss === 'true'
  const title = place?.name ?? (isLosing ? text.atLoss : text.matches)
  const sold = products.filter((each) => drafted(each, editor.draft.products[each.code]).isEnabled).length
  return (
    <Panel
      isFlush
      title={title}
      about={text.counts(products.length, sold)}
      actions={
        place === undefined || !editor.mayChange ? null : (
          <Button size="sm" icon="edit" onClick={() => setRenaming(true)}>
            {text.rename}
          </Button>
        )
      }
    >
      {products.length === 0 ? (
        isLosing ? (
          <Empty icon="check" title={text.nobodyLoses} about={text.nobodyLosesAbout} />
        ) : (
          <Empty icon="catalog" title={text.none} about={text.noneAbout} />
        )
      ) : (
        <ProductTable
          editor={editor}
          caption={title}
          products={products}
          isOrdered={category !== undefined}
        />
      )}
      {isRenaming && place !== undefined ? (
        <RenameDialog editor={editor} category={place} onClose={() => setRenaming(false)} />
      ) : null}
    </Panel>
  )
}

/** Choice of the category where the tree has no room. */
function CategorySelect({ editor, current }: { editor: Editor; current: string | undefined }) {
  const text = useText(CATALOG)
  const [, change] = useFilters()
  const options = treeOf(editor.catalog, editor.draft).flatMap(({ group, categories }) =>
    categories.map(({ code, name }) => ({ value: code, label: `${group.name}: ${name}` })),
  )
  return (
    <div className="cat-select">
      <SelectField
        label={text.category}
        value={current ?? ''}
        placeholder={text.everything}
        options={options}
        onValue={(category) => change({ category, search: undefined, at_loss: undefined })}
      />
    </div>
  )
}
