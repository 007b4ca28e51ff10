import type { ReactNode } from 'react'
import { timeText } from '../text/dates.ts'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import type { Tone } from './state.tsx'
import { Shape } from './state.tsx'

type PanelProps = {
  readonly title?: ReactNode
  /** Small print beside the title. */
  readonly about?: ReactNode
  readonly count?: number | string | undefined
  /** Links and buttons at the right end of the head. */
  readonly actions?: ReactNode
  /** True: the contents touch the edges, as tables and lists do. */
  readonly isFlush?: boolean
  readonly className?: string
  readonly children?: ReactNode
}

export function Panel({
  title,
  about,
  count,
  actions,
  isFlush = false,
  className = '',
  children,
}: PanelProps) {
  return (
    <section className={`panel${isFlush ? ' flush' : ''} ${className}`.trim()}>
      {title === undefined ? null : (
        <header>
          <h2>{title}</h2>
          {count === undefined ? null : <span className="count">{count}</span>}
          {about === undefined ? null : <span className="sub small">{about}</span>}
          {actions === undefined ? null : <span className="push">{actions}</span>}
        </header>
      )}
      {isFlush ? children : <div className="in">{children}</div>}
    </section>
  )
}

type PageHeadProps = {
  readonly title: ReactNode
  readonly about?: ReactNode
  /** Path to this page, above its title. */
  readonly crumbs?: ReactNode
  readonly actions?: ReactNode
}

/** Title of a page, and what can be done on it. */
export function PageHead({ title, about, crumbs, actions }: PageHeadProps) {
  return (
    <>
      {crumbs === undefined ? null : <div className="crumbs">{crumbs}</div>}
      <div className="head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {about === undefined ? null : <p>{about}</p>}
        </div>
        {actions === undefined ? null : <div className="acts">{actions}</div>}
      </div>
    </>
  )
}

export type Fact = { readonly term: ReactNode; readonly value: ReactNode; readonly isApart?: boolean }

/** Facts as pairs of term and value. A fact whose value is undefined is left out. */
export function Facts({ facts, isLeft = false }: { facts: readonly (Fact | undefined)[]; isLeft?: boolean }) {
  return (
    <dl className={isLeft ? 'kv left' : 'kv'}>
      {facts.map((fact, index) =>
        fact === undefined ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: facts have a fixed order and no identity.
          <FactLine key={index} {...fact} />
        ),
      )}
    </dl>
  )
}

function FactLine({ term, value, isApart = false }: Fact) {
  const className = isApart ? 'sep' : ''
  return (
    <>
      <dt className={className}>{term}</dt>
      <dd className={className}>{value}</dd>
    </>
  )
}

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

/** Progress of long work, from 0 to 1. */
export function Progress({ label, share }: { label: string; share: number }) {
  const percent = Math.round(Math.min(Math.max(share, 0), 1) * 100)
  return (
    <div
      className="prog"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  )
}
