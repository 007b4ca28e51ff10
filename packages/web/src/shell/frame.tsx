import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useLiveState } from '../api/live.ts'
import { clockText, ZONE_NAME } from '../text/dates.ts'
import { useText } from '../text/language.ts'
import { Button, IconButton, Key } from '../ui/button.tsx'
import type { IconName } from '../ui/icon.tsx'
import { Icon, Mark } from '../ui/icon.tsx'
import { Shape } from '../ui/state.tsx'
import { Toasts } from '../ui/toast.tsx'
import { isStaging, switchTheme } from './device-panel.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { SHELL } from './messages.ts'
import { PageLink } from './navigation.tsx'
import { VersionBanner } from './version-banner.tsx'

export type NavigationItem = {
  readonly to: string
  readonly icon: IconName
  readonly label: string
  /** Things that wait there. */
  readonly count?: number | undefined
  /** True: the item is current on every page below its path. */
  readonly coversBelow?: boolean
}

export type NavigationGroup = { readonly title?: string; readonly items: readonly NavigationItem[] }

type FrameProps = {
  readonly isConsole: boolean
  readonly home: string
  /** Reseller for whom the reader works, at the head of the side column. */
  readonly who?: ReactNode
  readonly person: { readonly name: string; readonly role: string; readonly to: string }
  readonly groups: readonly NavigationGroup[]
  /** Items of the bottom bar on phones: four, and "More". */
  readonly phoneItems: readonly NavigationItem[]
  readonly topEnd?: ReactNode
  readonly phoneTitle: string
  readonly onSearch: () => void
  readonly onHelp: () => void
  readonly onSignOut: () => void
  /** Locks the shared till that this browser is, with its key. */
  readonly lock?: { readonly key: string; readonly run: () => void } | undefined
  readonly children: ReactNode
}

/** Frame of every page of a signed-in person: side column, top bar, contents, bottom bar. */
export function Frame(props: FrameProps) {
  const text = useText(SHELL)
  const { pathname } = useLocation()
  return (
    <>
      <a className="skip" href="#main">
        {text.skip}
      </a>
      {isStaging() ? <div className="awning" aria-hidden="true" /> : null}
      <div className={props.isConsole ? 'app console' : 'app portal'}>
        <SideColumn {...props} pathname={pathname} />
        <div className="body">
          <TopBar {...props} />
          <ConnectionBanner />
          <VersionBanner />
          <main id="main" tabIndex={-1}>
            {props.children}
          </main>
        </div>
      </div>
      <BottomBar {...props} pathname={pathname} />
      <Toasts />
    </>
  )
}

function SideColumn(props: FrameProps & { pathname: string }) {
  const text = useText(SHELL)
  const { person } = props
  return (
    <aside className="side" aria-label={text.pages}>
      <div className="side-in">
        <PageLink
          className="brand"
          to={props.home}
          // The same words as are seen, for the narrow column, which shows the mark alone.
          aria-label={props.isConsole ? `Warung ${text.console}` : 'Warung'}
        >
          <Mark />
          <span>Warung</span> {props.isConsole ? <span className="which">{text.console}</span> : null}
        </PageLink>
        {props.who}
        <nav className="nav" aria-label={text.pages}>
          {props.groups.map((group) => (
            <NavigationLinks key={group.title ?? ''} group={group} pathname={props.pathname} />
          ))}
        </nav>
        <div className="foot">
          <PageLink className="row cut" to={person.to} title={text.yourAccount}>
            <span className="face" aria-hidden="true">
              {person.name.slice(0, 1).toUpperCase()}
            </span>
            <span className="cut">
              {person.name}
              <small>{person.role}</small>
            </span>
          </PageLink>
          <span className="push row tight">
            <LanguageChoice className="ib lang" isShort />
            <IconButton icon="moon" label={text.theme} onClick={switchTheme} />
            <IconButton icon="arrow" label={text.signOut} onClick={props.onSignOut} />
          </span>
        </div>
      </div>
    </aside>
  )
}

function NavigationLinks({ group, pathname }: { group: NavigationGroup; pathname: string }) {
  return (
    <>
      {group.title === undefined ? null : <h2>{group.title}</h2>}
      {group.items.map((item) => (
        <PageLink key={item.to} to={item.to} title={item.label} {...currentMark(item, pathname)}>
          <Icon name={item.icon} />
          <span>{item.label}</span>
          {item.count === undefined || item.count === 0 ? null : <span className="n">{item.count}</span>}
        </PageLink>
      ))}
    </>
  )
}

function currentMark({ to, coversBelow }: NavigationItem, pathname: string) {
  const isCurrent = pathname === to || (coversBelow === true && pathname.startsWith(`${to}/`))
  return { 'aria-current': isCurrent ? ('page' as const) : undefined }
}

function TopBar({ onSearch, onHelp, topEnd, home, phoneTitle, lock }: FrameProps) {
  const text = useText(SHELL)
  return (
    <header className="top">
      <PageLink className="brand phone-only flex" to={home}>
        <Mark />
        <span className="cut">{phoneTitle}</span>
      </PageLink>
      <button type="button" className="jump" onClick={onSearch}>
        <Icon name="search" />
        <span>{text.search}</span>
        <Key>Ctrl K</Key>
      </button>
      <span className="push row">
        {isStaging() ? <span className="env">{text.staging}</span> : null}
        {topEnd}
        {lock === undefined ? null : (
          <Button
            size="sm"
            icon="lock"
            aria-label={text.lockTill}
            aria-keyshortcuts={lock.key}
            onClick={lock.run}
          >
            <span className="wide-only">
              {text.lockTill} <Key>{lock.key}</Key>
            </span>
          </Button>
        )}
      </span>
      <Clock />
      <IconButton className="phone-only" icon="search" label={text.search} onClick={onSearch} />
      <IconButton className="wide-only" icon="help" label={text.help} onClick={onHelp} />
    </header>
  )
}

const CLOCK_MS = 10_000

function Clock() {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), CLOCK_MS)
    return () => window.clearInterval(timer)
  }, [])
  return (
    <span className="clock">
      {clockText(now)} {ZONE_NAME}
    </span>
  )
}

const BANNER_AFTER_MS = 3_000

/** Says that live events do not arrive, once that has lasted a moment. */
function ConnectionBanner() {
  const text = useText(SHELL)
  const state = useLiveState()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    setLong(false)
    if (state !== 'interrupted') return
    const timer = window.setTimeout(() => setLong(true), BANNER_AFTER_MS)
    return () => window.clearTimeout(timer)
  }, [state])
  if (!isLong) return null
  return (
    <div className="banner" role="status">
      <Shape tone="warning" isColoured />
      {text.interrupted}
    </div>
  )
}

function BottomBar({ phoneItems, pathname }: FrameProps & { pathname: string }) {
  const text = useText(SHELL)
  return (
    <nav className="tabbar" aria-label={text.mainPages}>
      {phoneItems.map((item) => (
        <PageLink key={item.to} to={item.to} {...currentMark(item, pathname)}>
          <Icon name={item.icon} />
          <span>{item.label}</span>
        </PageLink>
      ))}
    </nav>
  )
}
