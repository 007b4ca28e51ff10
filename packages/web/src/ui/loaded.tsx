import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useText } from '../text/language.ts'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import { UI } from './messages.ts'
import { ProblemPanel } from './problem.tsx'

/** Part of a query that a page needs; the result of `usePortal` and `useOperator` fits. */
export type Reading<T> = {
  readonly data: T | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}

type LoadedProps<T> = {
  readonly reading: Reading<T>
  /** Rows of bones that take the place of the contents while they are read. */
  readonly bones?: number
  /** Stands in the place of an empty list. */
  readonly empty?: ReactNode
  readonly children: (data: T) => ReactNode
}

/** Shows what was read; before that bones, and the error if it could not be read. */
export function Loaded<T>({ reading, bones = 4, empty, children }: LoadedProps<T>) {
  const { data, error, refetch } = reading
  if (data !== undefined) return empty !== undefined && isEmptyList(data) ? empty : children(data)
  if (error !== null && error !== undefined) return <ProblemPanel error={error} onRetry={() => refetch()} />
  return <Bones rows={bones} />
}

function isEmptyList(answer: unknown): boolean {
  const { data } = answer as { data?: unknown }
  return Array.isArray(data) && data.length === 0
}

const BONES_AFTER_MS = 300
const WIDTHS = ['34%', '26%', '30%', '22%']

/** Place of rows that are being read. Nothing moves before 300 ms, so that fast answers do not flicker. */
export function Bones({ rows }: { rows: number }) {
  const text = useText(UI)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(true), BONES_AFTER_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return (
    <div className={isShown ? 'bones' : 'bones is-early'} role="status" aria-label={text.loading}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bones have no identity.
        <div className="row" key={index}>
          <span className="bone dot" />
          <span className="bone" style={{ width: WIDTHS[index % WIDTHS.length] }} />
          <span className="bone" style={{ width: '16%' }} />
          <span className="bone push" style={{ width: 56 }} />
        </div>
      ))}
    </div>
  )
}

export type EmptyProps = {
  readonly icon?: IconName
  readonly title: ReactNode
  readonly about?: ReactNode
  readonly action?: ReactNode
}

/** Nothing to show: why it is empty, and what fills it. */
export function Empty({ icon = 'inbox', title, about, action }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <b>{title}</b>
      {about === undefined ? null : <p>{about}</p>}
      {action}
    </div>
  )
}
