import { iconOf } from '@warung/forms/picks'
import type { Order, OrderItem } from '../api/wire.ts'
import type { Child, Node } from '../dom/nodes.ts'
import { h } from '../dom/nodes.ts'
import { isComplete, quantityLimit } from '../rules/basket.ts'
import type { Checkout } from '../state/checkout.ts'
import { moneyText } from '../text/money.ts'
import type { FrameOptions } from './options.ts'
import { button, icon, picture, shape, stepper, title } from './parts.ts'

type Place = 'screen' | 'aside'

/** Basket with its total, and the step that submits it. Beside the products it stands as a summary. */
export function basketView(checkout: Checkout, { level, focusOn }: FrameOptions, place: Place): Child {
  const { order } = checkout.state()
  const text = checkout.text()
  if (order === undefined) return null
  const heading = place === 'screen' ? title(level, text.basket) : h('h2', { class: 'title' }, text.basket)
  if (order.items.length === 0) {
    return [
      heading,
      h('p', { class: 'empty' }, text.emptyBasket),
      place === 'screen' &&
        button({ class: 'primary', onclick: () => checkout.go({ name: 'shop' }) }, text.pickProduct),
    ]
  }
  return [
    heading,
    h(
      'ul',
      { class: 'lines' },
      order.items.map((item) => line(checkout, order, item)),
    ),
    totalRow(checkout, order),
    submit(checkout, order, place),
    place === 'screen' &&
      !order.is_fixed &&
      button({ class: 'wide', onclick: () => checkout.go({ name: 'shop' }) }, icon('plus'), text.addAnother),
    place === 'screen' && cancelPart(checkout, false, focusOn),
  ]
}

export function lineHead(checkout: Checkout, item: OrderItem): Child {
  const { catalog } = checkout.state()
  const text = checkout.text()
  const product = catalog?.products[item.product_code]
  return [
    picture(item.image_url, product === undefined ? 'bill' : iconOf(product)),
    h(
      'span',
      { class: 'what' },
      h('b', {}, item.product_name),
      item.account !== null && item.account !== '' && h('small', {}, text.forAccount(item.account)),
      item.quantity > 1 && h('small', {}, `${item.quantity} × ${moneyText(item.unit_price)}`),
    ),
    h('b', { class: 'amount' }, moneyText(item.price)),
  ]
}

function line(checkout: Checkout, order: Order, item: OrderItem): Node {
  const text = checkout.text()
  const { busy } = checkout.state()
  const name = item.product_name
  return h(
    'li',
    { key: String(item.line), class: 'line' },
    h('div', { class: 'line-head' }, lineHead(checkout, item)),
    item.missing.length > 0 &&
      h(
        'div',
        { class: 'between' },
        h('span', { class: 'state wait' }, shape('wait'), text.missing),
        button(
          {
            class: 'primary',
            'aria-label': `${text.fillIn}: ${name}`,
            onclick: () => checkout.go({ name: 'product', code: item.product_code, line: item.line }),
          },
          text.fillIn,
        ),
      ),
    !item.is_fixed &&
      h(
        'div',
        { class: 'between' },
        stepper({
          id: `q-${item.line}`,
          label: `${text.quantity}: ${name}`,
          fewer: text.fewer(name),
          more: text.more(name),
          value: item.quantity,
          max: quantityLimit(order, item.line),
          isDisabled: busy !== undefined,
          onValue: (quantity) => void checkout.setLineQuantity(item.line, quantity),
        }),
        button(
          {
            class: 'quiet danger',
            'aria-label': text.removeItem(name),
            'aria-disabled': busy === undefined ? undefined : 'true',
            onclick: () => void checkout.removeLine(item),
          },
          text.remove,
        ),
      ),
  )
}

export function totalRow(checkout: Checkout, order: Order): Node {
  return h(
    'div',
    { class: 'between total' },
    h('span', {}, checkout.text().total),
    h('b', { class: 'figure' }, moneyText(order.total_amount)),
  )
}

function submit(checkout: Checkout, order: Order, place: Place): Child {
  const text = checkout.text()
  const { busy } = checkout.state()
  const canSubmit = isComplete(order)
  return [
    button(
      {
        class: 'primary wide',
        'aria-disabled': canSubmit && busy === undefined ? undefined : 'true',
        onclick: () => {
          if (canSubmit) void checkout.submit()
        },
      },
      busy === 'submitting' ? text.submitting : text.goOnAmount(moneyText(order.total_amount)),
    ),
    h('p', { class: 'sub small' }, canSubmit ? place === 'screen' && text.lastChange : text.fillInAll),
  ]
}

/** Cancels after a question, because the basket is lost. */
export function cancelPart(checkout: Checkout, isSubmitted: boolean, focusOn: (id: string) => void): Node {
  const text = checkout.text()
  const { isAskingToCancel, busy } = checkout.state()
  if (!isAskingToCancel) {
    return button(
      {
        class: 'quiet danger',
        id: 'cancel',
        key: 'cancel',
        onclick: () => {
          checkout.askToCancel(true)
          focusOn('keep')
        },
      },
      text.cancel,
    )
  }
  return h(
    'div',
    {
      class: 'ask',
      role: 'group',
      'aria-label': text.cancelAsk,
      'aria-describedby': 'cancel-about',
      key: 'ask',
    },
    h('b', {}, text.cancelAsk),
    h('p', { id: 'cancel-about' }, isSubmitted ? text.cancelAfterPay : text.cancelAbout),
    h(
      'div',
      { class: 'buttons' },
      button(
        {
          id: 'keep',
          onclick: () => {
            checkout.askToCancel(false)
            focusOn('cancel')
          },
        },
        text.keep,
      ),
      button(
        {
          class: 'danger-full',
          'aria-disabled': busy === undefined ? undefined : 'true',
          onclick: () => void checkout.cancel(),
        },
        text.cancel,
      ),
    ),
  )
}
