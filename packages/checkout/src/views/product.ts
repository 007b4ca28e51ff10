import { shownBill } from '@warung/forms/bill'
import { iconOf } from '@warung/forms/picks'
import type { Field } from '@warung/forms/types'
import type { Child, Node } from '../dom/nodes.ts'
import { h } from '../dom/nodes.ts'
import { isFull, isInterrupted, quantityLimit } from '../rules/basket.ts'
import type { Checkout } from '../state/checkout.ts'
import { isFilled, openFields, shownMessage } from '../state/form.ts'
import type { FormState } from '../state/types.ts'
import { moneyText } from '../text/money.ts'
import { dayText } from '../text/times.ts'
import { fieldView } from './field.ts'
import { idOf } from './field-frame.ts'
import { button, icon, note, picture, shape, stepper, title } from './parts.ts'

/** Form of one product, and the button that puts it into the basket. */
export function productView(checkout: Checkout, level: 1 | 2, focusOn: (id: string) => void): Child {
  const { form, order, catalog } = checkout.state()
  const text = checkout.text()
  const back = button({ class: 'quiet back', onclick: () => checkout.back() }, icon('back'), text.back)
  if (form === undefined || order === undefined) return [back, title(level, text.unknownProduct)]
  const { product } = form
  const item = order.items.find(({ line }) => line === form.line)
  const fields = openFields(form, item, text)
  const add = () => {
    if (checkout.add()) return
    const now = checkout.state().form ?? form
    const first = fields.find((field) => shownMessage(now, field, text) !== undefined)
    if (first !== undefined) focusOn(idOf(first))
  }
  return [
    back,
    h(
      'div',
      { class: 'head' },
      picture(product.image_url, iconOf(product)),
      h(
        'div',
        {},
        title(level, product.name),
        h('p', { class: 'sub small' }, text.times[product.processing_time]),
      ),
    ),
    isInterrupted(catalog, product.code) && note('wait', text.interruptedAbout),
    product.note !== null && product.note !== '' && h('p', { class: 'mid' }, text.standard(product.note)),
    h(
      'form',
      {
        class: 'form',
        novalidate: true,
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault()
          add()
        },
      },
      fields.map((field) => [
        fieldView({ checkout, form, fields, field, aside: asideOf(checkout, form, field) }),
        field.id === product.fulfillment.account.from_field && bill(checkout, form),
      ]),
      form.line === undefined && quantityRow(checkout, form),
      form.refusals[''] !== undefined && note('bad', form.refusals['']),
      priceRow(checkout, form),
      h(
        'div',
        { class: 'act' },
        button(
          {
            class: 'primary wide',
            type: 'submit',
            'aria-disabled':
              checkout.state().busy === undefined && !isOff(checkout, form) ? undefined : 'true',
          },
          actText(checkout, form),
        ),
        mend(checkout, form, fields),
      ),
    ),
  ]
}

function isOff(checkout: Checkout, { line }: FormState): boolean {
  const { order } = checkout.state()
  return line === undefined && order !== undefined && isFull(order)
}

function actText(checkout: Checkout, form: FormState): string {
  const text = checkout.text()
  if (checkout.state().busy === 'adding') return text.adding
  if (form.line !== undefined) return text.save
  return form.quote === undefined ? text.add : text.addAmount(moneyText(form.quote.price))
}

function quantityRow(checkout: Checkout, { product, quantity }: FormState): Node | false {
  const { order } = checkout.state()
  const text = checkout.text()
  const max = order === undefined ? 1 : quantityLimit(order, undefined)
  if (max === 0) return note('wait', text.basketFull)
  return h(
    'div',
    { class: 'between' },
    h('span', { class: 'l' }, text.quantity),
    stepper({
      id: 'quantity',
      label: text.quantity,
      fewer: text.fewer(product.name),
      more: text.more(product.name),
      value: quantity,
      max,
      onValue: checkout.setQuantity,
    }),
  )
}

function priceRow(checkout: Checkout, form: FormState): Node | false {
  const { line, quote, quantity } = form
  const text = checkout.text()
  if (line !== undefined) return false
  if (quote === undefined) return h('p', { class: 'sub small', role: 'status' }, noPriceText(checkout, form))
  return h(
    'div',
    { class: 'between price', role: 'status' },
    h('span', { class: 'mid' }, text.price),
    h(
      'span',
      {},
      quantity > 1 && h('small', { class: 'sub' }, `${text.each(moneyText(quote.unit_price))} `),
      h('b', { class: 'figure' }, moneyText(quote.price)),
    ),
  )
}

/** Why there is no price: the form is not filled in, it is being asked for, or this item would be refused. */
function noPriceText(checkout: Checkout, form: FormState): string {
  const text = checkout.text()
  const [because] = [form.billRefusal, ...Object.values(form.refusals)].filter((each) => each !== undefined)
  if (because !== undefined) return `${text.priceRefused} ${because}`
  return isFilled(form, text) ? text.askingPrice : text.priceLater
}

/** Takes over what is owed into the amount. */
function asideOf(checkout: Checkout, { product, bill: answer }: FormState, field: Field): Child {
  const owed = answer === undefined ? undefined : shownBill(answer)?.owed
  if (field.id !== product.fulfillment.amount.from_field || owed === undefined || Number(owed) === 0)
    return null
  const text = checkout.text()
  return h(
    'button',
    { type: 'button', class: 'link', onclick: () => checkout.setValue(field.id, owed) },
    `${text.useOwed}: ${moneyText(owed)}`,
  )
}

/** Bill as its biller knows it. A part that the biller did not return is not shown. */
function bill(checkout: Checkout, form: FormState): Node {
  const text = checkout.text()
  const shown = form.bill === undefined ? undefined : shownBill(form.bill)
  const { language } = checkout.state()
  return h(
    'div',
    { class: 'bill-place', role: 'status', key: 'bill' },
    form.isAskingBill && h('p', { class: 'sub small' }, text.askingBill),
    shown !== undefined &&
      h(
        'div',
        { class: 'bill' },
        h('span', { class: 'state' }, shape('ok'), text.billExists),
        h(
          'div',
          { class: 'between' },
          h('span', {}, h('b', {}, shown.name), h('small', {}, shown.address), h('small', {}, shown.more)),
          h(
            'span',
            { class: 'right' },
            shown.owed !== undefined && h('b', { class: 'figure' }, moneyText(shown.owed)),
            shown.due !== undefined && h('small', {}, text.due(dayText(shown.due, language))),
          ),
        ),
      ),
  )
}

/** Says what is missing, once somebody has tried to add. */
function mend(checkout: Checkout, form: FormState, fields: readonly Field[]): Node {
  const text = checkout.text()
  const wrong = form.isTried ? fields.filter((field) => shownMessage(form, field, text) !== undefined) : []
  const [first] = wrong
  return h(
    'p',
    { class: 'sub small', role: 'status' },
    first !== undefined && text.mend(wrong.length, first.label),
  )
}
