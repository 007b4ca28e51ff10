import type { ReactNode } from 'react'
import { timeText } from '../text/dates.ts'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import type { Tone } from './state.tsx'
import { Shape } from './state.tsx'

export type Moment = {
  readonly key: string
  readonly at: string
  readonly title: ReactNode
  /** Time since the step before. */
  readonly gap?: string | undefined
  readonly children?: ReactNode
} & ({ readonly tone: Tone } | { readonly icon: IconName })

/** One line of time, oldest first. */
export function Timeline({ moments, label }: { moments: readonly Moment[]; label: string }) {
  return (
    <ol className="tl" aria-label={label}>
      {moments.map((moment) => (
        <li key={moment.key}>
          <time dateTime={moment.at}>{timeText(moment.at)}</time>
          {'tone' in moment ? (
            <span className="dot plain">
              <Shape tone={moment.tone} isColoured />
            </span>
          ) : (
            <span className="dot">
              <Icon name={moment.icon} />
            </span>
          )}
          <div className="what">
            <b>{moment.title}</b>
            {moment.gap === undefined ? null : <span className="gap">{moment.gap}</span>}
            {moment.children}
          </div>
        </li>
      ))}
    </ol>
  )
}
