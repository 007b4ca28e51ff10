import { accountOf, OWN_ACCOUNT_ID } from '@warung/forms/form'
import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Catalog } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/panel.tsx'
import { PORTAL } from '../messages.ts'
import { enterForm, pressInTill } from './focus.ts'
import { SELL } from './messages.ts'
import { maybeNumber } from './number.ts'
import { NumberChoices } from './number-choices.tsx'
import { Picker } from './picker.tsx'
import { ProductSale } from './product-sale.tsx'
import { GoingOn } from './sale-view.tsx'
import './sell.css'

/** One field for a number, a biller or a product, and the till for the number that is typed. */
export function Page() {
  const text = useText(SELL)
  const pages = useText(PORTAL)
  const reading = usePortal('portalGetSellCatalog', {})
  return (
    <>
      <PageHead
        title={pages.sell}
        about={text.about}
        actions={
          <PageLink className={buttonClass({})} to="/portal/bulk">
            {text.bulk}
          </PageLink>
        }
      />
      <Loaded reading={reading} bones={12}>
        {(catalog) => <Counter catalog={catalog} />}
      </Loaded>
    </>
  )
}

/** Counter for one customer after the other. The number stays in the memory of the page: in no address and no storage. */
function Counter({ catalog }: { catalog: Catalog }) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const till = useRef<HTMLDivElement>(null)
  const typed = search.trim()
  const { leave, stay, number, isAsking } = useNumber(typed, till)
  const codes = number?.products.filter((code) => catalog.products[code] !== undefined) ?? []
  const product = catalog.products[codes.find((code) => code === chosen) ?? codes[0] ?? '']
  const change = (next: string) => {
    setSearch(next)
    if (next.trim() === typed) return
    setChosen(undefined)
    stay()
  }
  const next = () => {
    change('')
    till.current?.querySelector<HTMLElement>('.find input')?.focus()
  }
  useShortcuts({ n: next })
  const press = (event: KeyboardEvent<HTMLElement>) => {
    // Tab goes on from a text that is no number: nobody is held in the field.
    const isTab = event.key === 'Tab' && !event.shiftKey && (number !== undefined || isAsking)
    const isLeft = event.key === 'Enter' || isTab
    if (!(event.target instanceof HTMLInputElement) || !isLeft || !maybeNumber(typed)) return false
    event.preventDefault()
    leave()
    return true
  }
  return (
    <>
      <GoingOn key={number?.e164} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the fields and the choices inside it take the keys. */}
      <div ref={till} className={product === undefined ? undefined : 'till'} onKeyDown={pressInTill}>
        <Picker
          catalog={catalog}
          search={search}
          onSearch={change}
          onKey={press}
          {...(maybeNumber(typed) && {
            choices: (
              <NumberChoices
                catalog={catalog}
                number={number}
                isAsking={isAsking}
                codes={codes}
                current={product?.code}
                onChoose={(code) => {
                  setChosen(code)
                  leave()
                }}
              />
            ),
          })}
        />
        {product === undefined || number === undefined ? null : (
          <ProductSale
            key={`${product.code} ${typed}`}
            product={product}
            begun={{
              values: { [accountOf(product)?.from_field ?? OWN_ACCOUNT_ID]: typed },
              account: number.e164,
              onNext: next,
            }}
          />
        )}
      </div>
    </>
  )
}

/** Asks the service about the number that is typed, at once when its field is left. */
function useNumber(typed: string, till: { readonly current: HTMLElement | null }) {
  const [left, setLeft] = useState<{ readonly typed: string } | undefined>(undefined)
  const settled = useDelayed(typed)
  const isWanted = maybeNumber(typed) && (settled === typed || left?.typed === typed)
  const { data, error } = usePortal(
    'portalLookupNumber',
    { query: { account: typed } },
    { isEnabled: isWanted },
  )
  const number = isWanted ? data?.data : undefined
  const isRefused = isWanted && error !== null && number === undefined
  const isSold = number !== undefined && number.products.length > 0
  useEffect(() => {
    const root = till.current
    if (left === undefined || root === null || left.typed !== typed) return
    if (isSold) return enterForm(root)
    // Until the answer is there, what is typed goes nowhere.
    const isOpen = !isRefused && number === undefined
    root.querySelector<HTMLElement>(isOpen ? '.pickp' : '.find input')?.focus()
  }, [left, typed, isSold, isRefused, number, till])
  return {
    number,
    isAsking: maybeNumber(typed) && number === undefined && !isRefused,
    leave: () => setLeft({ typed }),
    stay: () => setLeft(undefined),
  }
}
