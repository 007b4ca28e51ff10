import { optionDetail } from '@warung/forms/form'
import type { FormOption } from '@warung/forms/types'
import type { Child, Node } from '../dom/nodes.ts'
import { h } from '../dom/nodes.ts'
import { comboOf, matching } from '../state/form.ts'
import { moneyText } from '../text/money.ts'
import type { FieldContext } from './field-frame.ts'
import { idOf, label } from './field-frame.ts'
import { icon } from './parts.ts'

/** Field that searches as one types, for lists too long to show. The focus stays in the field, as the pattern demands. */
export function comboView(context: FieldContext, wrong: Node | false): Child {
  const { checkout, form, field } = context
  const text = checkout.text()
  const { search, isOpen, at } = comboOf(form, field.id)
  const items = matching(form, field)
  const value = form.values[field.id]
  const chosen = typeof value === 'object' ? value : undefined
  const listId = `${idOf(field)}-list`
  const choose = (option: FormOption | undefined) => {
    if (option === undefined) return
    checkout.setValue(field.id, option)
    checkout.setCombo(field.id, { search: '', isOpen: false, at: 0 })
  }
  return [
    h('div', { class: 'label' }, label(context)),
    h(
      'div',
      { class: 'combo' },
      h(
        'div',
        { class: wrong === false ? 'input' : 'input wrong' },
        icon('search'),
        h('input', {
          id: idOf(field),
          role: 'combobox',
          type: 'text',
          autocomplete: 'off',
          maxlength: 100,
          placeholder: field.placeholder === '' ? text.choose : field.placeholder,
          'aria-expanded': String(isOpen),
          'aria-controls': listId,
          'aria-autocomplete': 'list',
          'aria-required': field.required ? 'true' : undefined,
          'aria-invalid': wrong === false ? undefined : 'true',
          'aria-describedby': wrong === false ? undefined : `${idOf(field)}-e`,
          'aria-activedescendant': isOpen && items[at] !== undefined ? `${listId}-${at}` : undefined,
          value: isOpen ? search : (chosen?.label ?? search),
          oninput: (event: InputEvent) =>
            checkout.setCombo(field.id, {
              search: (event.target as HTMLInputElement).value,
              isOpen: true,
              at: 0,
            }),
          onfocus: () => checkout.setCombo(field.id, { isOpen: true, at: 0 }),
          onblur: () => {
            checkout.setCombo(field.id, { isOpen: false, search: '' })
            checkout.leaveField(field.id)
          },
          onkeydown: (event: KeyboardEvent) => {
            const next = moved(event.key, at, items.length)
            if (next !== undefined) checkout.setCombo(field.id, { isOpen: true, at: next })
            else if (event.key === 'Enter' && isOpen) choose(items[at])
            else if (event.key === 'Escape' && isOpen) checkout.setCombo(field.id, { isOpen: false })
            else return
            event.preventDefault()
          },
        }),
      ),
      h(
        'div',
        { class: 'options', id: listId, role: 'listbox', 'aria-label': field.label, hidden: !isOpen },
        items.map((option, index) =>
          h(
            'div',
            {
              key: option.code,
              id: `${listId}-${index}`,
              role: 'option',
              'aria-selected': String(option.code === chosen?.code),
              class: index === at ? 'on' : undefined,
              // The field keeps the focus, so that the list does not close before the choice.
              onpointerdown: (event: PointerEvent) => event.preventDefault(),
              onclick: () => choose(option),
            },
            h('b', {}, option.label),
            h(
              'small',
              {},
              [optionDetail(option, moneyText), option.code].filter((part) => part !== '').join(' · '),
            ),
          ),
        ),
      ),
    ),
    h('p', { class: 'hint', role: 'status' }, isOpen && hintOf(context, items.length)),
    wrong,
  ]
}

function hintOf({ checkout, form, field }: FieldContext, shown: number): string {
  const text = checkout.text()
  const options = form.options[field.id]
  if (options?.kind === 'failed') return text.optionsFailed
  if (options?.kind !== 'ready' || options.search !== comboOf(form, field.id).search.trim())
    return text.loading
  if (shown === 0) return text.noMatch
  return options.total > shown ? text.found(shown, options.total) : ''
}

function moved(key: string, at: number, count: number): number | undefined {
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return undefined
  const next = at + (key === 'ArrowDown' ? 1 : -1)
  return Math.min(Math.max(next, 0), Math.max(count - 1, 0))
}
