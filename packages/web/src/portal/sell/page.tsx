import { useQueryClient } from '@tanstack/react-query'
import { accountOf, billerFieldOf, OWN_ACCOUNT_ID } from '@warung/forms/form'
import { maybeNumber } from '@warung/forms/numbers'
import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Catalog, Product } from '../../api/portal.generated.ts'
import { portalKey, usePortal } from '../../api/portal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/panel.tsx'
import { PORTAL } from '../messages.ts'
import { useMember } from '../session.ts'
import { BasketPanel } from './basket/panel.tsx'
import { useBasket } from './basket/store.ts'
import { enterForm, pressInTill } from './focus.ts'
import { GoingOn } from './going-on.tsx'
import { LazyBasketEnd, LazySale, LazyScannedSale } from './lazy-sale.tsx'
import { SELL } from './messages.ts'
import { NumberChoices } from './number-choices.tsx'
import { Picker } from './picker.tsx'
import type { SavedNumber } from './saved-numbers.tsx'
import { SavedNumbers, savedNumbers } from './saved-numbers.tsx'
import type { Scanned, ScannedBill } from './scan/codes.ts'
import { ScanButton } from './scan/scan-button.tsx'
import './sell.css'

/** One field for a number, a biller or a product, and the till for the number that is typed. */
export function Page() {
  const text = useText(SELL)
  const pages = useText(PORTAL)
  const numbers = usePortal('portalListNumbers', {})
  const catalog = usePortal('portalGetSellCatalog', {})
  const isReading = numbers.data === undefined && numbers.error === null
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
      <Loaded reading={isReading ? { ...catalog, data: undefined } : catalog} bones={12}>
        {(data) => <Counter catalog={data} numbers={savedNumbers(data, numbers.data?.data ?? NONE)} />}
      </Loaded>
    </>
  )
}

const NONE = { favourites: [], recents: [] }

type KnownBiller = ScannedBill & { readonly billerCode: string }

type CounterProps = { readonly catalog: Catalog; readonly numbers: readonly SavedNumber[] }

/** Counter for one customer after the other. The number stays in the memory of the page: in no address and no storage. */
function Counter({ catalog, numbers }: CounterProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [saved, setSaved] = useState<SavedNumber | undefined>(undefined)
  const [scanned, setScanned] = useState<KnownBiller | undefined>(undefined)
  const queries = useQueryClient()
  const till = useRef<HTMLDivElement>(null)
  const typed = search.trim()
  const isTyping = typed !== '' || saved !== undefined
  useEffect(() => {
    if (isTyping) void LazySale.preload()
  }, [isTyping])
  const { leave, stay, number, isAsking } = useNumber(typed, till)
  const codes = number?.products.filter((code) => catalog.products[code] !== undefined) ?? []
  const product = saved?.product ?? catalog.products[codes.find((code) => code === chosen) ?? codes[0] ?? '']
  const change = (next: string) => {
    setSearch(next)
    if (next.trim() === typed && saved === undefined && scanned === undefined) return
    setSaved(undefined)
    setScanned(undefined)
    setChosen(undefined)
    stay()
  }
  const focusField = () => till.current?.querySelector<HTMLElement>('.find input')?.focus()
  const next = () => {
    change('')
    void queries.invalidateQueries({ queryKey: portalKey('portalListNumbers') })
    focusField()
  }
  const { reseller } = useMember()
  const basket = useBasket(reseller.account)
  const hasBasket = basket !== undefined
  useEffect(() => {
    if (hasBasket) void LazyBasketEnd.preload()
  }, [hasBasket])
  const begin = (wanted: SavedNumber) => {
    setSearch('')
    setSaved(wanted)
  }
  useEffect(() => {
    const isBegun = saved !== undefined || scanned !== undefined
    if (isBegun && till.current !== null) return enterForm(till.current)
  }, [saved, scanned])
  const billed = Object.values(catalog.products).find((each) => billerFieldOf(each) !== undefined)
  /** A bill whose biller is known fills in its form; any other code is searched for. */
  const takeScanned = (found: Scanned) => {
    if (found.kind === 'text') return change(found.text)
    const { billerCode, billerName } = found
    change(billerName ?? '')
    if (billerCode !== undefined) setScanned({ ...found, billerCode })
  }
  useShortcuts({ n: next })
  // One digit is no number yet: with Enter it begins with the number of this key.
  const keyed = /^[1-9]$/.test(typed) ? numbers[Number(typed) - 1] : undefined
  const press = (event: KeyboardEvent<HTMLElement>) => {
    // Tab goes on from a text that is no number: nobody is held in the field.
    const isTab = event.key === 'Tab' && !event.shiftKey && (number !== undefined || isAsking)
    if (!(event.target instanceof HTMLInputElement)) return false
    if (event.key === 'Enter' && typed === '' && basket !== undefined) focusCash()
    else if (event.key === 'Enter' && keyed !== undefined) begin(keyed)
    else if ((event.key === 'Enter' || isTab) && maybeNumber(typed)) leave()
    else return false
    event.preventDefault()
    return true
  }
  if (basket?.isPaid === true) {
    return (
      <div ref={till}>
        <LazyBasketEnd basket={basket} onNext={next} />
      </div>
    )
  }
  const list = <SavedNumbers numbers={numbers} current={saved ?? keyed} onChoose={begin} />
  return (
    <>
      <GoingOn key={`${number?.e164} ${saved?.number}`} />
      {basket === undefined ? null : <BasketPanel basket={basket} onField={focusField} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the fields and the choices inside it take the keys. */}
      <div
        ref={till}
        className={product === undefined && scanned === undefined ? undefined : 'till'}
        onKeyDown={pressInTill}
      >
        <Picker
          catalog={catalog}
          search={search}
          onSearch={change}
          onKey={press}
          besideField={billed === undefined ? null : <ScanButton onScanned={takeScanned} />}
          saved={numbers.length === 0 ? null : list}
          {...((saved ?? keyed) !== undefined && { choices: list })}
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
        <BegunSale
          product={product}
          saved={saved}
          scanned={scanned}
          billed={billed}
          typed={typed}
          e164={number?.e164}
          onNext={next}
        />
      </div>
    </>
  )
}

type BegunSaleProps = {
  readonly product: Product | undefined
  readonly saved: SavedNumber | undefined
  readonly scanned: KnownBiller | undefined
  readonly billed: Product | undefined
  readonly typed: string
  readonly e164: string | undefined
  readonly onNext: () => void
}

/** Sale of a scanned bill, of a saved number, or of the number that is typed. */
function BegunSale({ product, saved, scanned, billed, typed, e164, onNext }: BegunSaleProps) {
  if (scanned !== undefined && billed !== undefined) {
    return <LazyScannedSale key={JSON.stringify(scanned)} product={billed} bill={scanned} onNext={onNext} />
  }
  if (product === undefined) return null
  if (saved !== undefined) {
    return (
      <LazySale
        key={`${product.code} ${saved.number} ${saved.favourite?.id}`}
        product={product}
        begun={{ ...begunWith(product, saved.number, saved.amount), onNext }}
      />
    )
  }
  return (
    <LazySale
      key={`${product.code} ${typed}`}
      product={product}
      begun={{ ...begunWith(product, typed, null), account: e164 ?? typed, onNext }}
    />
  )
}

/** Leads from the empty field to the cash of the basket, and from there Enter pays it. */
function focusCash(): void {
  document.querySelector<HTMLElement>('[data-cash]')?.focus()
}

/** Beginning of a sale for a number. A typed amount is filled in; a choice of one is made once the choices are known. */
function begunWith(product: Product, number: string, amount: string | null) {
  const { amount: priced } = product.fulfillment
  const isTyped = product.fields.find(({ id }) => id === priced.from_field)?.type === 'money'
  return {
    values: {
      [accountOf(product)?.from_field ?? OWN_ACCOUNT_ID]: number,
      ...(isTyped && amount !== null && { [priced.from_field]: amount }),
    },
    account: number,
    amount: amount ?? undefined,
  }
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
