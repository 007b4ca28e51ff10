import type { ReactNode } from 'react'
import { useText } from '../text/language.ts'
import { Button } from './button.tsx'
import { UI } from './messages.ts'

export type PagerProps = {
  /** Says how many rows are shown. */
  readonly children: ReactNode
  readonly onNewer: (() => void) | undefined
  readonly onOlder: (() => void) | undefined
  /** Order of the rows: `age` is newest first. */
  readonly order?: 'age' | 'other'
}

/** Foot of a table whose pages follow one another by cursor. */
export function Pager({ children, onNewer, onOlder, order = 'age' }: PagerProps) {
  const text = useText(UI)
  return (
    <div className="foot-row">
      <span>{children}</span>
      <span className="row push">
        <Button size="sm" icon="chevronLeft" disabled={onNewer === undefined} onClick={() => onNewer?.()}>
          {order === 'age' ? text.newer : text.previous}
        </Button>
        <Button size="sm" icon="chevronRight" disabled={onOlder === undefined} onClick={() => onOlder?.()}>
          {order === 'age' ? text.older : text.next}
        </Button>
      </span>
    </div>
  )
}
