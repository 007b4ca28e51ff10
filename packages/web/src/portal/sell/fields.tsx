import type { Combo, FieldKit } from '@warung/forms/fields'
import { BillPlace, CLOSED, SelectField, TypedField } from '@warung/forms/fields'
import {
  canAskOptions,
  OWN_ACCOUNT_ID,
  onlyChoice,
  optionParams,
  problemOf,
  requestOf,
  shownBill,
} from '@warung/forms/form'
import type { Field } from '@warung/forms/types'
import { useEffect, useState } from 'react'
import type { FormOption, Product } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import { dayText, timeText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Icon } from '../../ui/icon.tsx'
import { Bones } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { ProblemPanel } from '../../ui/problem.tsx'
import { Shape } from '../../ui/state.tsx'
import { SELL } from './messages.ts'
import type { SellForm } from './use-form.ts'

const SEARCHED_LIMIT = 30
/** Choices that have a digit. */
const KEYS_MAX = 9

function useKit(): FieldKit {
  return {
    text: useText(SELL),
    money: moneyText,
    currency: (code) => code,
    bad: <Shape tone="bad" />,
    search: <Icon name="search" />,
    isOwn: false,
    tileKey: (index) => (index < KEYS_MAX ? String(index + 1) : undefined),
  }
}

export type SellFieldProps = {
  readonly product: Product
  readonly form: SellForm
  readonly field: Field
  /** Amount whose choice is made at first, where one choice has it. */
  readonly amount?: string | undefined
}

/** One field of a product's form, drawn from its definition. */
export function SellField({ product, form, field, amount }: SellFieldProps) {
  const text = useText(SELL)
  const { values, fields, bill } = form
  const isAmount = field.id === product.fulfillment.amount.from_field
  const owed = bill.data === undefined || !isAmount ? undefined : shownBill(bill.data)?.owed
  const onValue = (value: string | FormOption | undefined) => form.setValue(field.id, value)
  const props = {
    kit: useKit(),
    product,
    fields,
    field,
    values,
    onValue,
    onLeave: () => form.leave(field.id),
    error: form.shownMessage(field.id),
    aside:
      owed === undefined ? undefined : (
        <button type="button" className="link small" onClick={() => onValue(owed)}>
          {text.useOwed}
        </button>
      ),
  }
  if (field.type === 'select') return <SellSelect {...props} amount={isAmount ? amount : undefined} />
  const isChecked =
    field.type !== 'money' &&
    values[field.id] !== undefined &&
    values[field.id] !== '' &&
    problemOf(product, field, values) === undefined
  return (
    <TypedField
      {...props}
      hint={field.id === OWN_ACCOUNT_ID ? text.ownAccountHint : undefined}
      mark={isChecked ? <Shape tone="ok" isColoured /> : undefined}
    />
  )
}

type SelectProps = Omit<
  Parameters<typeof SelectField<FormOption>>[0],
  'choices' | 'instead' | 'combo' | 'onCombo'
> & { readonly amount: string | undefined }

/** Select of the form, with its choices as the service tells them. */
function SellSelect({ amount, ...props }: SelectProps) {
  const { product, fields, field, values, onValue } = props
  const [combo, setCombo] = useState<Combo | undefined>(undefined)
  const wanted = JSON.stringify(optionParams(field, values))
  const params = useDelayed(wanted)
  const search = combo?.search.trim() ?? ''
  const asked = useDelayed(search)
  const query = {
    ...(JSON.parse(params) as { product_code: string; field_id: string }),
    limit: SEARCHED_LIMIT,
  }
  const isAskable = canAskOptions(product, fields, field, values) && params === wanted
  const first = usePortal('portalGetSellOptions', { query }, { isEnabled: isAskable })
  const found = usePortal(
    'portalGetSellOptions',
    { query: { ...query, search: asked } },
    { isEnabled: isAskable && asked !== '', keepsFormer: true },
  )
  const { data } = asked === '' ? first : found
  const isAsking = asked !== search || (asked !== '' && found.isFetching)
  const items = first.data?.items ?? []
  const isWanted = (option: FormOption) =>
    Number(requestOf(product, { [field.id]: option }).amount) === Number(amount)
  const fitting = amount === undefined ? [] : items.filter(isWanted)
  // Several choices of one amount are left to the person.
  const only = (fitting.length === 1 ? fitting[0] : undefined) ?? onlyChoice(field, items)
  const isEmpty = values[field.id] === undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice is made once for each list.
  useEffect(() => {
    if (only !== undefined && isEmpty) onValue(only)
  }, [only?.code, isEmpty])
  const { error } = first
  // Options of the former account are gone at once, so that none of them can be chosen for the new one.
  const choices =
    !isAskable || error !== null || first.data === undefined
      ? undefined
      : {
          items: data?.items ?? [],
          total: data?.meta.total ?? 0,
          asking: found.error !== null ? ('failed' as const) : isAsking ? ('open' as const) : undefined,
        }
  return (
    <SelectField
      {...props}
      choices={choices}
      instead={
        error === null ? (
          <Bones rows={2} />
        ) : (
          <ProblemPanel error={error} onRetry={() => void first.refetch()} />
        )
      }
      combo={combo}
      onCombo={(part) => setCombo((former = CLOSED) => ({ ...former, ...part }))}
    />
  )
}

/** Bill as its biller knows it, before it is paid. */
export function SellBill({ form: { bill } }: Pick<SellFieldProps, 'form'>) {
  const text = useText(SELL)
  return (
    <BillPlace
      kit={useKit()}
      bill={bill.data}
      isAsking={bill.isAsking}
      head={
        <>
          <span className="st ok">
            <Shape tone="ok" />
            {text.billExists}
          </span>
          <span className="sub small right">{text.askedAt(timeText(bill.askedAtMs))}</span>
        </>
      }
      owed={(amount) => <Money amount={amount} currency="MYR" />}
      due={(day) => text.due(dueText(day))}
    />
  )
}

/** Billers write the day as they like; what is no date is shown as it came. */
function dueText(due: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(due) ? dayText(`${due}T12:00:00+08:00`) : due
}
