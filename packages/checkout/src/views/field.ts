import {
  canAskOptions,
  limitsOf,
  limitText,
  neededBy,
  optionDetail,
  TEXT_LENGTH_MAX,
} from '@warung/forms/form'
import type { Field, FormOption } from '@warung/forms/types'
import type { Child, Node } from '../dom/nodes.ts'
import { h } from '../dom/nodes.ts'
import { paramsKey } from '../state/form.ts'
import { moneyText } from '../text/money.ts'
import { comboView } from './combo.ts'
import type { FieldContext } from './field-frame.ts'
import { idOf, label, message } from './field-frame.ts'
import { button } from './parts.ts'

/** Options that are all shown; longer lists are searched as one types. */
const TILES_MAX = 24

/** One field of a product's form, drawn from its definition. */
export function fieldView(context: FieldContext): Node {
  return h(
    'div',
    { class: 'field', key: context.field.id },
    context.field.type === 'select' ? select(context) : input(context),
  )
}

function input(context: FieldContext): Child {
  const { checkout, form, field } = context
  const value = form.values[field.id]
  const wrong = message(context)
  const hint = hintOf(context)
  const isMoney = field.type === 'money'
  const describedBy = [wrong !== false && `${idOf(field)}-e`, hint !== undefined && `${idOf(field)}-h`]
  return [
    h('div', { class: 'label' }, label(context)),
    h(
      'div',
      { class: wrong === false ? 'input' : 'input wrong' },
      isMoney && h('span', { class: 'sub', 'aria-hidden': 'true' }, currencySign(field)),
      h('input', {
        id: idOf(field),
        type: 'text',
        inputmode: field.input_mode,
        placeholder: field.placeholder,
        maxlength: TEXT_LENGTH_MAX,
        autocomplete: field.input_mode === 'tel' ? 'tel' : 'off',
        autocapitalize: 'off',
        spellcheck: 'false',
        'aria-required': field.required ? 'true' : undefined,
        'aria-invalid': wrong === false ? undefined : 'true',
        'aria-describedby': describedBy.filter(Boolean).join(' ') || undefined,
        value: typeof value === 'string' ? value : '',
        oninput: (event: InputEvent) => checkout.setValue(field.id, (event.target as HTMLInputElement).value),
        onblur: () => checkout.leaveField(field.id),
      }),
    ),
    hint !== undefined && h('p', { class: 'hint', id: `${idOf(field)}-h` }, hint),
    wrong,
  ]
}

function currencySign({ currency = 'MYR' }: Field): string {
  return currency === 'MYR' ? 'RM' : currency
}

function hintOf({ checkout, form, field }: FieldContext): string | undefined {
  const { min, max } = limitsOf(form.product, field, form.values)
  if (field.role !== 'pricing' || min === undefined || max === undefined) return undefined
  return checkout.text().rangeHint(limitText(field, min, moneyText), limitText(field, max, moneyText))
}

/** Select: tiles while all options can be shown, else a field that searches on the server. */
function select(context: FieldContext): Child {
  const { checkout, form, fields, field } = context
  const text = checkout.text()
  if (!canAskOptions(form.product, fields, field, form.values)) {
    const needed = fields.filter(({ id }) => neededBy(field).includes(id)).map((each) => each.label)
    return framed(context, text.fillFirst(needed.join(', ')))
  }
  const options = form.options[field.id]
  const search = form.combos[field.id]?.search.trim() ?? ''
  if (options?.kind === 'failed' && search === '') return failed(context)
  const isLong =
    form.combos[field.id] !== undefined || (options?.kind === 'ready' && options.total > TILES_MAX)
  if (isLong) return comboView(context, message(context))
  // Options of the former account are gone at once, so that none of them can be chosen for the new one.
  if (options?.kind !== 'ready' || options.params !== paramsKey(field, form.values)) {
    return [
      h('div', { class: 'label' }, label(context)),
      h('div', { class: 'bones', role: 'status' }, h('span', { class: 'visually' }, text.loading)),
    ]
  }
  if (options.items.length === 0) return framed(context, text.noOptions)
  return tiles(context, options.items)
}

function framed(context: FieldContext, words: string): Child {
  return [
    h('div', { class: 'label' }, h('span', { class: 'l' }, context.field.label)),
    h('p', { class: 'input off' }, words),
    message(context),
  ]
}

function failed(context: FieldContext): Child {
  const text = context.checkout.text()
  return [
    h('div', { class: 'label' }, h('span', { class: 'l' }, context.field.label)),
    h(
      'p',
      { class: 'input off', role: 'alert' },
      text.optionsFailed,
      button({ class: 'small', onclick: () => context.checkout.retryOptions(context.field.id) }, text.retry),
    ),
  ]
}

function tiles(context: FieldContext, options: readonly FormOption[]): Node {
  const { checkout, form, field } = context
  const value = form.values[field.id]
  const chosen = typeof value === 'object' ? value.code : undefined
  const wrong = message(context)
  return h(
    'fieldset',
    {
      class: wrong === false ? 'tiles' : 'tiles wrong',
      'aria-describedby': wrong === false ? undefined : `${idOf(field)}-e`,
    },
    h('legend', {}, field.label),
    h(
      'div',
      { class: 'grid' },
      options.map((option) =>
        h(
          'label',
          { class: option.code === chosen ? 'radio on' : 'radio', key: option.code },
          h('input', {
            type: 'radio',
            name: idOf(field),
            checked: option.code === chosen,
            onchange: () => checkout.setValue(field.id, option),
          }),
          h(
            'span',
            { class: 'what' },
            h('b', {}, checkout.text().standard(option.label)),
            h('small', {}, optionDetail(option, moneyText)),
          ),
        ),
      ),
    ),
    wrong,
  )
}
