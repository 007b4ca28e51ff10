import { canAskOptions, neededBy, onlyChoice, optionDetail, optionParams } from '@warung/forms/form'
import { useEffect, useId, useState } from 'react'
import type { FormOption } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import type { ComboOption } from '../../ui/combobox.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Bones } from '../../ui/loaded.tsx'
import { ProblemPanel } from '../../ui/problem.tsx'
import { Shape } from '../../ui/state.tsx'
import type { ControlProps } from './field-label.tsx'
import { FieldLabel } from './field-label.tsx'
import { SELL } from './messages.ts'

/** Options that are all shown; longer lists are searched as one types. */
const TILES_MAX = 24
const SEARCHED_LIMIT = 30

/** Select of a form: tiles while all options can be shown, else a field that searches on the server. */
export function SelectControl(props: ControlProps) {
  const { product, fields, field, values } = props
  const text = useText(SELL)
  const isAskable = canAskOptions(product, fields, field, values)
  const wanted = JSON.stringify(optionParams(field, values))
  const params = useDelayed(wanted)
  const isSettled = params === wanted
  const query = { ...queryOf(params), limit: SEARCHED_LIMIT }
  const reading = usePortal('portalGetSellOptions', { query }, { isEnabled: isAskable && isSettled })
  if (!isAskable) {
    const missing = fields.filter(({ id }) => neededBy(field).includes(id)).map(({ label }) => label)
    return <Frame {...props}>{text.fillFirst(missing.join(', '))}</Frame>
  }
  if (reading.error !== null)
    return <ProblemPanel error={reading.error} onRetry={() => void reading.refetch()} />
  const { data } = reading
  // Options of the former account are gone at once, so that none of them can be chosen for the new one.
  if (data === undefined || !isSettled) return <Bones rows={2} />
  if (data.meta.total > TILES_MAX) return <SearchedSelect {...props} params={params} first={data.items} />
  if (data.items.length === 0) return <Frame {...props}>{text.noOptions}</Frame>
  return <Tiles {...props} options={data.items} />
}

function queryOf(params: string): { product_code: string; field_id: string } {
  return JSON.parse(params) as { product_code: string; field_id: string }
}

function Frame({ field, children }: ControlProps & { children: string }) {
  return (
    <div className="field">
      <div className="l">
        <FieldLabel field={field} />
      </div>
      <p className="input lg is-off">{children}</p>
    </div>
  )
}

function Tiles({
  field,
  values,
  onValue,
  error,
  options,
}: ControlProps & { options: readonly FormOption[] }) {
  const text = useText(SELL)
  const id = useId()
  const value = values[field.id]
  const chosen = typeof value === 'object' ? value.code : undefined
  const only = onlyChoice(field, options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a choice is made once for each list.
  useEffect(() => {
    if (only !== undefined && value === undefined) onValue(only)
  }, [only?.code, value === undefined])
  return (
    <fieldset
      className={error === undefined ? 'field tiles-field' : 'field tiles-field is-wrong'}
      aria-describedby={error === undefined ? undefined : `${id}-about`}
    >
      <legend className="l">
        <FieldLabel field={field} />
      </legend>
      <div className="tiles">
        {options.map((option) => (
          <label key={option.code} className={option.code === chosen ? 'radio-card on' : 'radio-card'}>
            <input type="radio" name={id} checked={option.code === chosen} onChange={() => onValue(option)} />
            <span className="t">
              <b>{text.standard(option.label)}</b>
              <small>{optionDetail(option, moneyText)}</small>
            </span>
          </label>
        ))}
      </div>
      {error === undefined ? null : (
        <span className="err" id={`${id}-about`}>
          <Shape tone="bad" />
          {error}
        </span>
      )}
    </fieldset>
  )
}

function SearchedSelect(props: ControlProps & { params: string; first: readonly FormOption[] }) {
  const { field, values, onValue, error, params, first } = props
  const text = useText(SELL)
  const [search, setSearch] = useState('')
  const asked = useDelayed(search.trim())
  const found = usePortal(
    'portalGetSellOptions',
    { query: { ...queryOf(params), search: asked, limit: SEARCHED_LIMIT } },
    { isEnabled: asked !== '', keepsFormer: true },
  )
  const options = asked === '' ? first : (found.data?.items ?? [])
  const value = values[field.id]
  const chosen = typeof value === 'object' ? comboOf(value) : undefined
  return (
    <Combobox
      isLarge
      label={field.label}
      error={error}
      placeholder={field.placeholder === '' ? text.choose : field.placeholder}
      chosen={chosen}
      onChoose={(option) => onValue(options.find(({ code }) => code === option?.value))}
      search={search}
      onSearch={setSearch}
      options={options.map(comboOf)}
      isReading={found.isFetching}
    />
  )
}

function comboOf(option: FormOption): ComboOption {
  return {
    value: option.code,
    label: option.label,
    detail: [optionDetail(option, moneyText), option.code].filter((part) => part !== '').join(' · '),
  }
}
