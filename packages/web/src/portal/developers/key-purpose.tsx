import { useState } from 'react'
import type { ListedAPIKey } from '../../api/portal.generated.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import type { Values } from '../../ui/act-dialog.tsx'
import type { Control, FieldWords } from '../../ui/act-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { PURPOSE } from './purpose-messages.ts'

/** Bounds of a key, as both of its dialogs ask for them. */
export function usePurposeFields() {
  const text = useText(PURPOSE)
  const cap = (label: string): FieldWords => ({ label, before: 'RM', inputMode: 'decimal', isNeeded: false })
  const list = (label: string, hint: string): FieldWords => ({
    label,
    isNeeded: false,
    draw: (control) => <ListField {...control} label={label} hint={hint} />,
  })
  return {
    products: list(text.products, text.productsHint),
    max_amount: { ...cap(text.maxAmount), hint: text.capHint },
    daily_cap: { ...cap(text.dailyCap), isHalf: true },
    monthly_cap: cap(text.monthlyCap),
    expires_at: { label: text.end, hint: text.endHint, type: 'datetime-local', isNeeded: false },
    ip_allowlist: list(text.addresses, text.addressesHint),
    note: { label: text.note, isNeeded: false },
  } as const
}

const BOUNDS = ['products', 'max_amount', 'daily_cap', 'monthly_cap', 'expires_at', 'ip_allowlist'] as const

/** Bounds that are left empty: none of that kind. */
export function emptyBounds(values: Values): Partial<Record<(typeof BOUNDS)[number], null>> {
  return Object.fromEntries(
    BOUNDS.filter((name) => !values[name]?.toString().trim()).map((name) => [name, null]),
  )
}

/** Codes or addresses in one line, with commas between them. */
function ListField({ value, onValue, error, label, hint }: Control & { label: string; hint: string }) {
  const [typed, setTyped] = useState(() => (Array.isArray(value) ? value.join(', ') : ''))
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      value={typed}
      autoComplete="off"
      spellCheck={false}
      onValue={(next) => {
        setTyped(next)
        onValue(next.split(/[\s,]+/).filter((each) => each !== ''))
      }}
    />
  )
}

const OFFSET_MS = 8 * 3_600_000

/** Day and minute of GMT+8, as the field of a date has them. */
export function minuteOf(instant: string | null): string {
  if (instant === null) return ''
  return new Date(Date.parse(instant) + OFFSET_MS).toISOString().slice(0, 'yyyy-MM-ddTHH:mm'.length)
}

/** Lines of what a key is for, as far as it has bounds. */
export function KeyPurpose({ apiKey }: { apiKey: ListedAPIKey }) {
  const text = useText(PURPOSE)
  const { products, daily_cap: daily, monthly_cap: monthly, max_amount: most } = apiKey
  const lines = [
    products === null ? text.everything : products.join(', '),
    most === null ? undefined : text.each(most),
    daily === null ? undefined : text.ofDay(apiKey.used_today ?? '0.00', daily),
    monthly === null ? undefined : text.ofMonth(apiKey.used_this_month ?? '0.00', monthly),
    apiKey.ip_allowlist === null ? undefined : text.from(apiKey.ip_allowlist.join(', ')),
    apiKey.state === 'active' && apiKey.expires_at !== null
      ? text.until(whenText(apiKey.expires_at))
      : undefined,
    apiKey.note === '' ? undefined : apiKey.note,
  ].filter((line) => line !== undefined)
  return lines.map((line) => (
    <small className="under w" key={line}>
      {line}
    </small>
  ))
}
