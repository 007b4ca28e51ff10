import type { Values } from '@warung/forms/form'
import type { Field } from '@warung/forms/types'
import type { ReactNode } from 'react'
import type { FormOption, Product } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import { SELL } from './messages.ts'

export type ControlProps = {
  readonly product: Product
  readonly fields: readonly Field[]
  readonly field: Field
  readonly values: Values<FormOption>
  readonly onValue: (value: string | FormOption | undefined) => void
  /** Message of the field, once it is time to show it. */
  readonly error: string | undefined
  readonly onLeave: () => void
  readonly aside?: ReactNode
}

/** Name of a field, and that it may be left empty. */
export function FieldLabel({ field }: { field: Field }) {
  const text = useText(SELL)
  return (
    <>
      {field.label}
      {field.required ? null : <span className="sub optional"> {text.optional}</span>}
    </>
  )
}
