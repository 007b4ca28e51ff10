import { useState } from 'react'
import type { PortalProduct } from '../../api/portal.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import type { IconName } from '../../ui/icon.tsx'
import { Icon } from '../../ui/icon.tsx'
import { productsIn, treeOf } from './draft.ts'
import type { Editor } from './editor.ts'
import { CATALOG } from './messages.ts'
import { ProductDialog } from './product-dialog.tsx'
import { ProductRow } from './product-row.tsx'

type ProductTableProps = {
  readonly editor: Editor
  readonly caption: string
  readonly products: readonly PortalProduct[]
  /** False: rows of several categories are mixed, which have no common order. */
  readonly isOrdered: boolean
}

/** Products as lines that can be edited in place. */
export function ProductTable({ editor, caption, products, isOrdered }: ProductTableProps) {
  const text = useText(CATALOG)
  const [edited, setEdited] = useState<string | undefined>(undefined)
  const move = (code: string, to: number) => {
    const product = products.find((each) => each.code === code)
    if (product !== undefined) editor.move(products, product, to)
  }
  const opened = editor.catalog.products.find(({ code }) => code === edited)
  const at = products.findIndex(({ code }) => code === edited)
  return (
    <>
      <div className="scroll-x">
        <table className="tbl fold catt">
          <caption className="hide">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="hide">{text.order}</span>
              </th>
              <th scope="col">{text.sold}</th>
              <th scope="col">{text.product}</th>
              <th scope="col">{text.cost}</th>
              <th scope="col">{text.adjustment}</th>
              <th scope="col" className="r">
                {text.price}
              </th>
              <th scope="col" className="r">
                {text.margin}
              </th>
              <th scope="col">
                <span className="hide">{text.details}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {products.map((product, index) => (
              <ProductRow
                key={product.code}
                editor={editor}
                product={product}
                at={isOrdered ? index : undefined}
                onMove={(to, code) => move(code ?? product.code, to)}
                onEdit={() => setEdited(product.code)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {opened === undefined ? null : (
        <ProductDialog
          editor={editor}
          product={opened}
          onMove={isOrdered && at !== -1 ? (step) => move(opened.code, at + step) : undefined}
          place={isOrdered && at !== -1 ? { at, of: products.length } : undefined}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

const ICONS: Readonly<Record<string, IconName>> = {
  MOBILE: 'phone',
  BILLS: 'bill',
  EDUCATION: 'cap',
  GAMES: 'game',
  GIFT_CARDS: 'gift',
  TRAVEL: 'globe',
  EWALLETS: 'wallet',
  VOUCHERS: 'pin',
  FINANCE: 'coin',
}

const PATH = '/portal/catalogue'

/** Groups and categories at the side; on narrow screens a select takes their place. */
export function Tree({ editor, current }: { editor: Editor; current: string | undefined }) {
  const text = useText(CATALOG)
  const branches = treeOf(editor.catalog, editor.draft)
  const countIn = (code: string) => productsIn(editor.catalog, editor.draft, code).length
  return (
    <nav className="panel tree" aria-label={text.groups}>
      {branches.map(({ group, categories }) => {
        const [first] = categories
        const isOpen = categories.some(({ code }) => code === current)
        return (
          <div key={group.code}>
            <PageLink className="grp" to={PATH} search={first === undefined ? {} : { category: first.code }}>
              <Icon name={ICONS[group.code] ?? 'catalog'} />
              <span className="cut">{group.name}</span>
              <span className="sub">{categories.reduce((sum, { code }) => sum + countIn(code), 0)}</span>
            </PageLink>
            {isOpen
              ? categories.map(({ code, name }) => (
                  <PageLink
                    key={code}
                    className="lv2"
                    to={PATH}
                    search={{ category: code }}
                    aria-current={code === current ? 'page' : undefined}
                  >
                    <span className="cut">{name}</span>
                    <span className="sub">{countIn(code)}</span>
                  </PageLink>
                ))
              : null}
          </div>
        )
      })}
    </nav>
  )
}
