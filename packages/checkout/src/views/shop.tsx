import type { PickGroup } from '@warung/forms/picks'
import { findProducts, groupsOf, iconOf, markHits } from '@warung/forms/picks'
import type { Product } from '../api/wire.ts'
import { isInterrupted } from '../rules/order.ts'
import type { Checkout } from '../state/checkout.ts'
import { NumberChoices, RecentNumbers } from './numbers.tsx'
import type { Surroundings } from './parts.tsx'
import { Button, Icon, Picture, Shape, Title } from './parts.tsx'

/** Products by group and category, and those that a search finds. */
export function Shop({ checkout, level, focusOn }: Surroundings) {
  const { catalog, search, group, order, number } = checkout.state()
  const text = checkout.text()
  if (catalog === undefined) return null
  const groups = groupsOf(catalog).filter(({ categories }) =>
    categories.some(({ products }) => products.length > 0),
  )
  const wanted = search.trim()
  const found = wanted === '' ? [] : findProducts(catalog, wanted)
  const isMissing = wanted !== '' && found.length === 0 && number === undefined
  return (
    <>
      <Title level={level}>{text.shop}</Title>
      <div className="input find">
        <Icon name="search" />
        <input
          id="search"
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          maxLength={100}
          autoComplete="off"
          value={search}
          onInput={(event) => checkout.search(event.currentTarget.value)}
        />
        {search === '' ? null : (
          <Button
            className="bare"
            aria-label={text.clear}
            onClick={() => {
              checkout.search('')
              focusOn('search')
            }}
          >
            <Icon name="close" />
          </Button>
        )}
      </div>
      {wanted === '' ? <RecentNumbers checkout={checkout} level={level} /> : null}
      {wanted === '' && groups.length > 1 ? <Chips checkout={checkout} groups={groups} /> : null}
      <div className="visually" role="status">
        {isMissing ? text.noProduct : ''}
      </div>
      {wanted === '' ? (
        groups
          .filter(({ id }) => group === undefined || id === group)
          .map((each) => <Group key={each.id} checkout={checkout} group={each} level={level} />)
      ) : number !== undefined ? (
        <NumberChoices checkout={checkout} />
      ) : isMissing ? (
        <p className="empty">{text.noProduct}</p>
      ) : (
        <List checkout={checkout} products={found} search={wanted} />
      )}
      {groups.length === 0 ? <p className="empty">{text.nothingForSale}</p> : null}
      {order?.items.length === 0 ? <p className="sub small wide-only">{text.emptyBasket}</p> : null}
    </>
  )
}

function Chips({ checkout, groups }: { checkout: Checkout; groups: readonly PickGroup[] }) {
  const text = checkout.text()
  const { group } = checkout.state()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset does not scroll sideways in every browser.
    <div className="chips" role="group" aria-label={text.groups}>
      {[{ id: undefined, name: text.allGroups }, ...groups].map(({ id, name }) => (
        <button
          type="button"
          className="chip"
          key={id ?? ''}
          aria-pressed={group === id}
          onClick={() => checkout.chooseGroup(id)}
        >
          {text.standard(name)}
        </button>
      ))}
    </div>
  )
}

type GroupProps = { checkout: Checkout; group: PickGroup<Product>; level: 1 | 2 }

function Group({ checkout, group: { name, categories }, level }: GroupProps) {
  const text = checkout.text()
  const Name = `h${level + 1}` as 'h2' | 'h3'
  const Category = `h${level + 2}` as 'h3' | 'h4'
  return (
    <section className="group">
      <Name className="g1">{text.standard(name)}</Name>
      {categories
        .filter(({ products }) => products.length > 0)
        .flatMap((category) => [
          categories.length > 1 ? (
            <Category className="g2" key={category.id}>
              {text.standard(category.name)}
            </Category>
          ) : null,
          <List key={`${category.id} list`} checkout={checkout} products={category.products} search="" />,
        ])}
    </section>
  )
}

type ListProps = { checkout: Checkout; products: readonly Product[]; search: string }

function List({ checkout, products, search }: ListProps) {
  const text = checkout.text()
  const { catalog } = checkout.state()
  return (
    <ul className="list">
      {products.map((product) => (
        <li key={product.code}>
          <button
            type="button"
            className="pick"
            onClick={() => checkout.go({ name: 'product', code: product.code })}
          >
            <Picture url={product.image_url} icon={iconOf(product)} />
            <span className="what">
              <b>
                {markHits(product.name, search).map((hit) =>
                  hit.isHit ? <mark key="hit">{hit.text}</mark> : hit.text,
                )}
              </b>
              {isInterrupted(catalog, product.code) ? (
                <small className="state wait">
                  <Shape tone="wait" />
                  {text.interrupted}
                </small>
              ) : (
                <small>{text.times[product.processing_time]}</small>
              )}
            </span>
            <Icon name="next" />
          </button>
        </li>
      ))}
    </ul>
  )
}
