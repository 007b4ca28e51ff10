import type { ReactNode } from 'react'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { REVIEW } from './review-messages.ts'

export type PageStepsProps = {
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
