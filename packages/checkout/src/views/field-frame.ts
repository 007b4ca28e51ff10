import type { Field } from '@warung/forms/types'
import type { Child, Node } from '../dom/nodes.ts'
import { h } from '../dom/nodes.ts'
import type { Checkout } from '../state/checkout.ts'
import { shownMessage } from '../state/form.ts'
import type { FormState } from '../state/types.ts'
import { shape } from './parts.ts'

export type FieldContext = {
  readonly checkout: Checkout
  readonly form: FormState
  readonly fields: readonly Field[]
  readonly field: Field
  /** Button beside the label, such as the one that takes over what is owed. */
  readonly aside?: Child
}

export const idOf = ({ id }: Field) => `f-${id.replace(/[^\w-]/g, '_')}`

export function label({ checkout, field, aside }: FieldContext): Child {
  const optional = !field.required && h('span', { class: 'sub' }, ` ${checkout.text().optional}`)
  return [h('label', { for: idOf(field), id: `${idOf(field)}-l` }, field.label, optional), aside]
}

/** Message of a field, in the place that the field points to. */
export function message({ checkout, form, field }: FieldContext): Node | false {
  const words = shownMessage(form, field, checkout.text())
  if (words === undefined) return false
  return h('p', { class: 'err', id: `${idOf(field)}-e` }, shape('bad'), h('span', {}, words))
}
