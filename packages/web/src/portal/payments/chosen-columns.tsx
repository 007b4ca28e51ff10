import { useState } from 'react'
import type { PortalPayment } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import { Checkbox } from '../../ui/field.tsx'
import type { Column } from '../../ui/table.tsx'
import { PAYMENTS } from './messages.ts'

// Columns of the list of payments, as this device is to show them.

const STORED_AS = 'warung.payments.columns'
const DEFAULT = ['status', 'time', 'product', 'account', 'amount', 'cost', 'refid']
/** Columns by which a row is told apart; the first one leads to its payment. */
const ALWAYS = new Set(['status', 'product'])

function storedKeys(): readonly string[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? 'null')
    return Array.isArray(keys) ? keys.map(String) : DEFAULT
  } catch {
    return DEFAULT
  }
}

export function useChosenColumns(all: readonly Column<PortalPayment>[]) {
  const [keys, setKeys] = useState(storedKeys)
  const isShown = (key: string) => ALWAYS.has(key) || keys.includes(key)
  return {
    columns: all.filter(({ key }) => isShown(key)),
    choice: (
      <ColumnChoice
        all={all.filter(({ key }) => !ALWAYS.has(key))}
        isShown={isShown}
        onToggle={(key, isOn) => {
          const next = isOn ? [...keys, key] : keys.filter((each) => each !== key)
          setKeys(next)
          try {
            localStorage.setItem(STORED_AS, JSON.stringify(next))
          } catch {
            // A browser that stores nothing shows the usual ones next time.
          }
        }}
      />
    ),
  }
}

type ChoiceProps = {
  readonly all: readonly Column<PortalPayment>[]
  readonly isShown: (key: string) => boolean
  readonly onToggle: (key: string, isOn: boolean) => void
}

function ColumnChoice({ all, isShown, onToggle }: ChoiceProps) {
  const text = useText(PAYMENTS)
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="columns-choice" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="link small">{text.columns}</summary>
      {isOpen ? (
        <div className="row wrap">
          {all.map(({ key, head }) => (
            <Checkbox
              key={key}
              label={String(head)}
              isOn={isShown(key)}
              onToggle={(isOn) => onToggle(key, isOn)}
            />
          ))}
        </div>
      ) : null}
    </details>
  )
}
