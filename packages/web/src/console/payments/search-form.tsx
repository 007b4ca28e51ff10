import type { FormEvent } from 'react'
import { useState } from 'react'
import type { Search } from '../../shell/navigation.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Field, SelectField, TextField } from '../../ui/field.tsx'
import { useWords } from '../states.ts'
import type { Key } from './filters.ts'
import { daysOf, daysText, KEYS, NO_FILTERS, STATES } from './filters.ts'
import { PAYMENTS } from './messages.ts'

/** Fields of the search. They are used together, by the button or Enter, and stand in the address afterwards. */
export function SearchForm() {
  const [search] = useFilters()
  // Another address, for instance by going back, fills the fields anew.
  return <Fields key={JSON.stringify({ ...search, cursor: undefined })} search={search} />
}

function draftOf(search: Search) {
  const kind = KEYS.find((each) => (search[each] ?? '') !== '') ?? 'customer'
  return {
    kind: kind as Key,
    value: search[kind] ?? '',
    account: search.account ?? '',
    product: search.product ?? '',
    provider: search.provider ?? '',
    state: search.state ?? '',
    ...daysOf(search),
  }
}

function Fields({ search }: { search: Search }) {
  const text = useText(PAYMENTS)
  const [, change] = useFilters()
  const [draft, setDraft] = useState(() => draftOf(search))
  const set = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })
  const labels = { ...useWords('payment'), pending: text.pending, stuck: text.stuck }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change({
      ...NO_FILTERS,
      [draft.kind]: draft.value.trim(),
      account: draft.account.trim(),
      product: draft.product.trim(),
      provider: draft.provider.trim(),
      state: draft.state,
      days: daysText(draft.from, draft.to),
    })
  }
  return (
    <form className="ask" onSubmit={submit}>
      <KeyField
        kind={draft.kind}
        value={draft.value}
        onKind={(kind) => set({ kind })}
        onValue={(value) => set({ value })}
      />
      <TextField
        label={text.reseller}
        placeholder={text.account}
        value={draft.account}
        onValue={(account) => set({ account })}
        inputMode="numeric"
      />
      <TextField
        label={text.product}
        placeholder={text.productCode}
        value={draft.product}
        onValue={(product) => set({ product })}
      />
      <TextField
        label={text.provider}
        placeholder={text.productCode}
        value={draft.provider}
        onValue={(provider) => set({ provider })}
      />
      <SelectField
        label={text.state}
        value={draft.state}
        onValue={(state) => set({ state })}
        placeholder={text.any}
        options={STATES.map((state) => ({
          value: state,
          label: labels[state],
        }))}
      />
      <TextField label={text.from} type="date" value={draft.from} onValue={(from) => set({ from })} />
      <TextField label={text.to} type="date" value={draft.to} onValue={(to) => set({ to })} />
      <Button type="submit" look="primary">
        {text.search}
      </Button>
    </form>
  )
}

type KeyFieldProps = {
  readonly kind: Key
  readonly value: string
  readonly onKind: (kind: Key) => void
  readonly onValue: (value: string) => void
}

/** Field with the way to find before it: customer, refid, reference at the supplier or payment id. */
function KeyField({ kind, value, onKind, onValue }: KeyFieldProps) {
  const text = useText(PAYMENTS)
  return (
    <Field label={text.findBy}>
      {(attributes) => (
        <div className="input key">
          <select
            aria-label={text.findBy}
            value={kind}
            onChange={(event) => onKind(event.target.value as Key)}
          >
            {KEYS.map((each) => (
              <option key={each} value={each}>
                {text.keys[each]}
              </option>
            ))}
          </select>
          <input
            {...attributes}
            aria-label={`${text.keys[kind]}, ${text.exactly}`}
            value={value}
            onChange={(event) => onValue(event.target.value)}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            data-find=""
          />
        </div>
      )}
    </Field>
  )
}
