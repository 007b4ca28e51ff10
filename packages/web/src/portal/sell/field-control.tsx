import type { Field } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { TextField } from '../../ui/field.tsx'
import type { ControlProps } from './field-label.tsx'
import { FieldLabel } from './field-label.tsx'
import type { FieldProblem, Limits } from './form.ts'
import { limitsOf, OWN_ACCOUNT_ID, problemOf, TEXT_LENGTH_MAX } from './form.ts'
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
  return { hint: text.rangeHint(limitText(field, limits.min), limitText(field, limits.max)) }
}

function limitText(field: Field, amount: string): string {
  return field.type === 'money' ? moneyText(amount, field.currency ?? 'MYR') : amount
}

/** Sentence about a problem: the API's own message if it has one, because it knows the product. */
export function problemSentence(
  field: Field,
  problem: FieldProblem | undefined,
  text: SellText,
): string | undefined {
  if (problem === undefined) return undefined
  switch (problem.kind) {
    case 'required':
      return field.type === 'select' ? text.chooseOne : text.required
    case 'number':
      return field.validation.message ?? text.number
    case 'pattern':
      return problem.message ?? text.pattern
    case 'range': {
      const { min, max } = problem.limits
      if (min === undefined) return text.atMost(limitText(field, max ?? ''))
      if (max === undefined) return text.atLeast(limitText(field, min))
      return text.range(limitText(field, min), limitText(field, max))
    }
  }
}
