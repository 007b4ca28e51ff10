import type { PickGroup } from '@warung/forms/picks'
import { findProducts, groupsOf, iconOf, markHits } from '@warung/forms/picks'
import type { Product } from '../api/wire.ts'
import type { Child, Node } from '../dom/nodes.ts'
import { h } from '../dom/nodes.ts'
import { isInterrupted } from '../rules/basket.ts'
import type { Checkout } from '../state/checkout.ts'
import type { FrameOptions } from './options.ts'
import { button, icon, picture, shape, title } from './parts.ts'

type Level = 1 | 2

/** Products by group and category, and those that a search finds. */
export function shopView(checkout: Checkout, { level, focusOn }: FrameOptions): Child {
  const { catalog, search, group, order } = checkout.state()
  const text = checkout.text()
  if (catalog === undefined) return null
  const groups = groupsOf(catalog).filter(({ categories }) =>
    categories.some(({ products }) => products.length > 0),
  )
  const wanted = search.trim()
  return [
    title(level, text.shop),
    h(
      'div',
      { class: 'input find' },
      icon('search'),
      h('input', {
        id: 'search',
        type: 'search',
        'aria-label': text.search,
        placeholder: text.search,
        maxlength: 100,
        autocomplete: 'off',
        value: search,
        oninput: (event: InputEvent) => checkout.search((event.target as HTMLInputElement).value),
      }),
      search !== '' &&
        button(
          {
            class: 'bare',
            'aria-label': text.clear,
            onclick: () => {
              checkout.search('')
              focusOn('search')
            },
          },
          icon('close'),
        ),
    ),
    wanted === '' && groups.length > 1 && chips(checkout, groups),
    h(
      'div',
      { class: 'visually', role: 'status' },
      wanted !== '' && findProducts(catalog, wanted).length === 0 && text.noProduct,
    ),
    wanted === ''
      ? tree(checkout, groups, group, level)
      : hits(checkout, findProducts(catalog, wanted), wanted),
    groups.length === 0 && h('p', { class: 'empty' }, text.nothingForSale),
    order !== undefined &&
      order.items.length === 0 &&
      h('p', { class: 'sub small wide-only' }, text.emptyBasket),
  ]
}

function chips(checkout: Checkout, groups: readonly PickGroup[]): Node {
  const text = checkout.text()
  const { group } = checkout.state()
  const choices = [{ id: undefined, name: text.allGroups }, ...groups]
  return h(
    'div',
    { class: 'chips', role: 'group', 'aria-label': text.groups },
    choices.map(({ id, name }) =>
      h(
        'button',
        {
          type: 'button',
          class: 'chip',
          key: id ?? '',
          'aria-pressed': String(group === id),
          onclick: () => checkout.chooseGroup(id),
        },
        text.standard(name),
      ),
    ),
  )
}

function tree(
  checkout: Checkout,
  groups: readonly PickGroup<Product>[],
  group: string | undefined,
  level: Level,
): Child {
  const text = checkout.text()
  const chosen = groups.filter(({ id }) => group === undefined || id === group)
  return chosen.map(({ id, name, categories }) =>
    h(
      'section',
      { key: id, class: 'group' },
      h(`h${level + 1}`, { class: 'g1' }, text.standard(name)),
      categories
        .filter(({ products }) => products.length > 0)
        .map((category) => [
          categories.length > 1 &&
            h(`h${level + 2}`, { class: 'g2', key: category.id }, text.standard(category.name)),
          list(checkout, category.products, ''),
        ]),
    ),
  )
}

function hits(checkout: Checkout, products: readonly Product[], search: string): Child {
  if (products.length === 0) return h('p', { class: 'empty' }, checkout.text().noProduct)
  return list(checkout, products, search)
}

function list(checkout: Checkout, products: readonly Product[], search: string): Node {
  const text = checkout.text()
  const { catalog } = checkout.state()
  return h(
    'ul',
    { class: 'list' },
    products.map((product) =>
      h(
        'li',
        { key: product.code },
        h(
          'button',
          {
            type: 'button',
            class: 'pick',
            onclick: () => checkout.go({ name: 'product', code: product.code }),
          },
          picture(product.image_url, iconOf(product)),
          h(
            'span',
            { class: 'what' },
            h('b', {}, marked(product.name, search)),
            isInterrupted(catalog, product.code)
              ? h('small', { class: 'state wait' }, shape('wait'), text.interrupted)
              : h('small', {}, text.times[product.processing_time]),
          ),
          icon('next'),
        ),
      ),
    ),
  )
}

function marked(name: string, search: string): Child {
  return markHits(name, search).map(({ text, isHit }) => (isHit ? h('mark', {}, text) : text))
}
