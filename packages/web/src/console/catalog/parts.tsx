import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import type { LevelPrice } from '../../api/operator.generated.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { useDelayed } from '../../shell/use-delayed.ts'
import type { Translated } from '../../text/language.ts'
import { useText } from '../../text/language.ts'
import { moneyText, percentOfFactor } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useSignedIn } from '../session.ts'
import type { CATALOG } from './messages.ts'
import { REVIEW } from './messages.ts'

/** True for operators who change the catalogue and the prices. The service decides anyway. */
export function useMayChangeCatalog(): boolean {
  const { role } = useSignedIn()
  return role === 'admin' || role === 'catalogue'
}

/** True for operators who change routes and switch providers. */
export function useMayChangeProviders(): boolean {
  return useSignedIn().role === 'admin'
}

type Text = Translated<(typeof CATALOG)['en']>

/** Price of a level in words. */
export function priceText(
  { discount_type: type, value, currency }: Pick<LevelPrice, 'discount_type' | 'value' | 'currency'>,
  text: Text,
): string {
  return type === 'percentage'
    ? text.pays(percentOfFactor(value))
    : text.takesOff(moneyText(value.includes('.') ? value : `${value}.00`, currency))
}

const TYPING_MS = 250

/** Search field whose text is a filter in the address; the server searches as one types. */
export function SearchChip({ name = 'search', label }: { name?: string; label: string }) {
  const [search, change] = useFilters()
  const current = search[name] ?? ''
  const [value, setValue] = useState(current)
  const settled = useDelayed(value, TYPING_MS)
  useEffect(() => setValue(current), [current])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing changes the address, not the address itself.
  useEffect(() => {
    if (settled.trim() !== current && settled === value) change({ [name]: settled.trim(), cursor: undefined })
  }, [settled])
  return (
    <label className={current === '' ? 'chip' : 'chip on'}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        data-find=""
      />
    </label>
  )
}

type PageStepsProps = {
  /** Says how many rows are shown. */
  readonly children: ReactNode
  readonly onFirst: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

/** Foot of a list that is sorted by place or name, so that no page is newer than another. */
export function PageSteps({ children, onFirst, onNext }: PageStepsProps) {
  const text = useText(REVIEW)
  return (
    <div className="foot-row">
      <span>{children}</span>
      <span className="row push">
        <Button size="sm" icon="chevronLeft" disabled={onFirst === undefined} onClick={() => onFirst?.()}>
          {text.firstPage}
        </Button>
        <Button size="sm" icon="chevronRight" disabled={onNext === undefined} onClick={() => onNext?.()}>
          {text.nextPage}
        </Button>
      </span>
    </div>
  )
}
