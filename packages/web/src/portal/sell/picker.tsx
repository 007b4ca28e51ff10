import { billerFieldOf } from '@warung/forms/form'
import { findProducts, groupsOf, iconOf, markHits } from '@warung/forms/picks'
import type { KeyboardEvent, ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import type { Catalog, FormOption, Product } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { useDelayed } from '../../shell/use-delayed.ts'
import { useText } from '../../text/language.ts'
import { countText, moneyText } from '../../text/numbers.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { State } from '../../ui/state.tsx'
import { useIsInterrupted } from '../interruptions.ts'
import { pressInPicker, useFirstFocus } from './focus.ts'
import { SELL } from './messages.ts'

const BILLERS_SHOWN = 30
const SEARCH_LENGTH_MIN = 2

type PickerProps = {
  readonly catalog: Catalog
  readonly search: string
  readonly onSearch: (search: string) => void
  readonly current?: string
  readonly currentBiller?: string
  /** Choices that stand in the place of those that are searched for. */
  readonly choices?: ReactNode
  /** Numbers above the groups. */
  readonly saved?: ReactNode
  /** Another way to what is typed into the field. */
  readonly besideField?: ReactNode
  /** Takes a key of the field first. True: the field does no more with it. */
  readonly onKey?: (event: KeyboardEvent<HTMLElement>) => boolean
}

/** Products by group and category; billers too, once something is searched for. */
export function Picker(props: PickerProps) {
  const { catalog, search, onSearch, current, currentBiller, choices, saved, onKey, besideField } = props
  const text = useText(SELL)
  const wanted = search.trim()
  const isWide = current === undefined && choices === undefined
  const panel = useRef<HTMLElement>(null)
  // On a phone the field would bring up the keyboard, which covers the products.
  useFirstFocus(panel, 'input', current === undefined && matchMedia('(pointer: fine)').matches)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field and the links inside it take the keys.
    <section
      ref={panel}
      className={`panel flush pickp${isWide ? ' wide' : ''}`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (onKey?.(event) !== true) pressInPicker(event)
      }}
    >
      <div className="find">
        <div className="input">
          <Icon name="search" />
          <input
            aria-label={text.search}
            placeholder={text.search}
            value={search}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => onSearch(event.target.value)}
            data-find=""
          />
          {search === '' ? null : (
            <IconButton icon="close" label={text.clear} small tabIndex={-1} onClick={() => onSearch('')} />
          )}
        </div>
        {besideField}
      </div>
      {wanted === '' && isWide ? saved : null}
      {wanted === '' && isWide ? <Groups catalog={catalog} /> : null}
      {choices !== undefined ? (
        choices
      ) : wanted === '' ? (
        <Tree catalog={catalog} current={current} />
      ) : (
        <Hits catalog={catalog} wanted={wanted} current={current} currentBiller={currentBiller} />
      )}
    </section>
  )
}

/** Groups to look at one by one; the choice is in the address. */
function Groups({ catalog }: { catalog: Catalog }) {
  const text = useText(SELL)
  const [search, change] = useFilters()
  const choices = [{ id: undefined, name: text.allGroups }, ...catalog.tree.groups]
  return (
    <fieldset className="chips groups strip-x" aria-label={text.groups}>
      {choices.map(({ id, name }) => (
        <button
          type="button"
          className="chip"
          key={id ?? ''}
          aria-pressed={search.group === id}
          onClick={() => change({ group: id })}
        >
          {text.standard(name)}
        </button>
      ))}
    </fieldset>
  )
}

function Tree({ catalog, current }: { catalog: Catalog; current: string | undefined }) {
  const text = useText(SELL)
  const [search] = useFilters()
  const groups = groupsOf(catalog)
  const chosen = current === undefined ? groups.filter(({ id }) => id === search.group) : []
  return (
    <div className="pick tree">
      {(chosen.length === 0 ? groups : chosen).map((group) => (
        <div key={group.id} className="group">
          <h2>{text.standard(group.name)}</h2>
          {group.categories.map(({ id, name, products }) => (
            <div key={id}>
              <h3>{text.standard(name)}</h3>
              <ul>
                {products.map((product) => (
                  <ProductLine
                    key={product.code}
                    product={product}
                    search=""
                    isOn={product.code === current}
                  />
                ))}
              </ul>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

function ProductLine({ product, search, isOn }: { product: Product; search: string; isOn: boolean }) {
  const text = useText(SELL)
  const isInterrupted = useIsInterrupted()(product.code)
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // Scrolls the list alone: the page stays where it is.
    const list = line.current?.closest('.pick')
    if (isOn && list instanceof HTMLElement && line.current !== null) {
      list.scrollTop = line.current.offsetTop - list.offsetTop - list.clientHeight / 2
    }
  }, [isOn])
  return (
    <li ref={line} className={isOn ? 'on' : undefined}>
      <PageLink
        to={`/portal/sell/${encodeURIComponent(product.code)}`}
        aria-current={isOn ? 'true' : undefined}
      >
        <Icon name={iconOf(product)} />
        <span className="t">
          <b>
            <Marked name={product.name} search={search} />
          </b>
          {isInterrupted ? (
            <small>
              <State tone="warning">{text.interrupted}</State>
            </small>
          ) : (
            <small>{text.times[product.processing_time]}</small>
          )}
        </span>
        <span className="mono sub">{product.code}</span>
      </PageLink>
    </li>
  )
}

function Marked({ name, search }: { name: string; search: string }) {
  return markHits(name, search).map(({ text, isHit }) =>
    isHit ? (
      <span className="hl" key={`hit ${text}`}>
        {text}
      </span>
    ) : (
      text
    ),
  )
}

type HitsProps = {
  readonly catalog: Catalog
  readonly wanted: string
  readonly current: string | undefined
  readonly currentBiller: string | undefined
}

function Hits({ catalog, wanted, current, currentBiller }: HitsProps) {
  const text = useText(SELL)
  const products = findProducts(catalog, wanted)
  const billed = Object.values(catalog.products).find((each) => billerFieldOf(each) !== undefined)
  return (
    <div className="pick hits" aria-live="polite">
      <h2>
        <span>{text.products}</span>
        <span>{text.found(countText(products.length), countText(Object.keys(catalog.products).length))}</span>
      </h2>
      {products.length === 0 ? <p className="small sub">{text.noProduct}</p> : null}
      {products.length === 0 ? null : (
        <ul>
          {products.map((product) => (
            <ProductLine
              key={product.code}
              product={product}
              search={wanted}
              isOn={product.code === current}
            />
          ))}
        </ul>
      )}
      {billed === undefined || wanted.length < SEARCH_LENGTH_MIN ? null : (
        <Billers product={billed} wanted={wanted} currentBiller={currentBiller} />
      )}
    </div>
  )
}

type BillersProps = { product: Product; wanted: string; currentBiller: string | undefined }

function Billers({ product, wanted, currentBiller }: BillersProps) {
  const text = useText(SELL)
  const isInterrupted = useIsInterrupted()(product.code)
  const asked = useDelayed(wanted)
  const query = {
    product_code: product.code,
    field_id: billerFieldOf(product) ?? '',
    search: asked,
    limit: BILLERS_SHOWN,
  }
  const { data, isPlaceholderData } = usePortal('portalGetSellOptions', { query }, { keepsFormer: true })
  if (data === undefined) return null
  return (
    <>
      <h2 className="more">
        <span>{text.billers}</span>
        <span>{text.found(countText(data.items.length), countText(data.meta.total))}</span>
      </h2>
      {isInterrupted ? (
        <p className="small">
          <State tone="warning">{text.interrupted}</State>
        </p>
      ) : null}
      {data.items.length === 0 ? <p className="small sub">{text.noBiller}</p> : null}
      <ul aria-busy={asked !== wanted || isPlaceholderData || undefined}>
        {data.items.map((biller) => (
          <li key={biller.code} className={biller.code === currentBiller ? 'on' : undefined}>
            <PageLink
              to={`/portal/sell/${encodeURIComponent(product.code)}`}
              search={{ biller: biller.code }}
            >
              <span className="t">
                <b>
                  <Marked name={biller.label} search={asked} />
                </b>
                <small>{billerDetail(biller)}</small>
              </span>
              <span className="mono sub">{biller.code}</span>
            </PageLink>
          </li>
        ))}
      </ul>
    </>
  )
}

function billerDetail({ min_amount: min, max_amount: max, description }: FormOption): string {
  const range =
    min === undefined || max === undefined
      ? []
      : [`${moneyText(min.amount, min.currency)} – ${moneyText(max.amount, max.currency)}`]
  return [...range, ...(description === undefined ? [] : [description])].join(' · ')
}
