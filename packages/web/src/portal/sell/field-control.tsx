import type { Limits } from '@warung/forms/form'
import { limitsOf, limitText, OWN_ACCOUNT_ID, problemOf, TEXT_LENGTH_MAX } from '@warung/forms/form'
import type { Field } from '@warung/forms/types'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { TextField } from '../../ui/field.tsx'
import type { ControlProps } from './field-label.tsx'
import { FieldLabel } from './field-label.tsx'
import { SELL } from './messages.ts'
import { SelectControl } from './select-control.tsx'

/** One field of a product's form, drawn from its definition. */
export function FieldControl(props: ControlProps) {
  const { product, field, values, onValue, error, onLeave, aside } = props
  const text = useText(SELL)
  if (field.type === 'select') return <SelectControl {...props} />
  const value = values[field.id]
  const typed = typeof value === 'string' ? value : ''
  const isMoney = field.type === 'money'
  const limits = limitsOf(product, field, values)
  return (
    <TextField
      isLarge
      label={<FieldLabel field={field} />}
      value={typed}
      onValue={onValue}
      onBlur={onLeave}
      error={error}
      {...(aside === undefined ? {} : { aside })}
      {...hintOf(field, limits, text)}
      {...(isMoney ? { before: field.currency ?? 'MYR' } : {})}
      inputMode={field.input_mode}
      placeholder={field.placeholder}
      maxLength={TEXT_LENGTH_MAX}
      autoComplete="off"
      spellCheck={false}
      isChecked={typed !== '' && !isMoney && problemOf(product, field, values) === undefined}
    />
  )
}

type SellText = ReturnType<typeof useText<(typeof SELL)['en']>>

function hintOf(field: Field, limits: Limits, text: SellText): { hint?: string } {
  if (field.id === OWN_ACCOUNT_ID) return { hint: text.ownAccountHint }
  if (field.role !== 'pricing' || limits.min === undefined || limits.max === undefined) return {}
  return {
    hint: text.rangeHint(limitText(field, limits.min, moneyText), limitText(field, limits.max, moneyText)),
  }
}
