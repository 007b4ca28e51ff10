import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SESSION_READ } from '../api/client.ts'
import { ApiProblem } from '../api/errors.ts'
import { openLive, setLive, useLive } from '../api/live.ts'
import type {
  LiveByeMessage,
  LiveNetworkMessage,
  NetworkStatus,
  OverviewResponse,
} from '../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../api/portal.ts'
import { useRenewal } from '../api/renewal.ts'
import { announceSignedOut } from '../api/signals.ts'
import { AskedProof } from '../people/asked-proof.tsx'
import { switchTheme } from '../shell/device-panel.tsx'
import { Frame } from '../shell/frame.tsx'
import { HelpDialog } from '../shell/help.tsx'
import { SHELL } from '../shell/messages.ts'
import { PageLink, useGo } from '../shell/navigation.tsx'
import { useSignInFirst, useSignOut } from '../shell/session.ts'
import { findOnPage, moveThroughRows, useShortcuts } from '../shell/shortcuts.ts'
import { useText } from '../text/language.ts'
import { Money } from '../ui/money.tsx'
import { PageHead } from '../ui/panel.tsx'
import { ProblemPanel } from '../ui/problem.tsx'
import { Note } from '../ui/state.tsx'
import { homeOf, mayOpen } from './access.ts'
import { deviceStorage, knownOf, remember } from './device/known.ts'
import { OfflinePage } from './device/offline-page.tsx'
import { useAdoptedSales, useKnown } from './device/use-device.ts'
import { InterruptedProducts, isOverviewOld, isStatusOld } from './interruptions.ts'
import { PORTAL } from './messages.ts'
import { usePortalNavigation } from './navigation.ts'
import { PortalPalette } from './palette.tsx'
import { ACCOUNT_API } from './people/account-api.ts'
import { storedSales, tabStorage } from './sell/sale.ts'
import type { Member } from './session.ts'
import { MemberContext, useMay, useMember } from './session.ts'
import { LOCK_KEY, useTillLock } from './shared-tills/use-lock.ts'
import { endSession } from './sign-out.ts'

/** Shell of the portal: it waits for the session, and leads to the sign-in page without one. */
export function PortalShell() {
  const session = usePortal('getPortalSession', SESSION_READ)
  const isNobody = session.data === null
  useSignInFirst(isNobody, '/portal/sign-in')
  useEffect(() => {
    if (isNobody) remember(deviceStorage(), { balance: null, recents: [] }, Date.now())
  }, [isNobody])
  const isReady = useAdoptedSales()
  const isSlow = useIsSlow() && session.isPending
  if (session.data) {
    portal.setCsrfToken(session.data.csrf_token)
    return isReady ? <SignedIn member={session.data.data} /> : null
  }
  const known =
    isReady && (isSlow || isAway(session.error)) ? knownOf(deviceStorage(), Date.now()) : undefined
  if (known !== undefined) {
    const sales = storedSales(tabStorage(), known.person.account)
    return <OfflinePage known={known} sales={sales} onRetry={() => void session.refetch()} />
  }
  if (session.error instanceof ApiProblem && session.error.status !== 401) {
    return <ProblemPanel error={session.error} onRetry={() => void session.refetch()} />
  }
  return null
}

/** Time without an answer after which the page says what it knows, while it goes on asking. */
const SLOW_MS = 6_000

function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setSlow(true), SLOW_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return isSlow
}

/** True for a service that does not answer, or whose proxy answers in its place. */
function isAway(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status >= 502)
}

function SignedIn({ member }: { member: Member }) {
  const text = useText(SHELL)
  const pages = useText(PORTAL)
  const go = useGo()
  const navigation = usePortalNavigation(member)
  const home = homeOf(member)
  const { pathname } = useLocation()
  const isReadable = mayOpen(member, pathname)
  useEffect(() => {
    // Signing in leads to the first page of all, which not every role has.
    if (pathname === '/portal' && home !== '/portal') go(home, {}, { replace: true })
  }, [pathname, home, go])
  const goIfReadable = (to: string) => {
    if (mayOpen(member, to)) go(to)
  }
  const [overlay, setOverlay] = useState<'palette' | 'help' | undefined>(undefined)
  const signOut = useSignOut(endSession, '/portal/sign-in')
  const lock = useTillLock(member.shared_till)
  useKnown(member)
  useEffect(() => {
    setLive(openLive('/portal/v1/live'))
    return () => setLive(undefined)
  }, [])
  const interrupted = usePortalFreshness()
  useShortcuts({
    'ctrl+k': () => setOverlay('palette'),
    '?': () => setOverlay('help'),
    '/': findOnPage,
    'g o': () => goIfReadable('/portal'),
    'g p': () => goIfReadable('/portal/payments'),
    'g s': () => goIfReadable('/portal/statement'),
    'g c': () => goIfReadable('/portal/catalogue'),
    'g d': () => goIfReadable('/portal/developers'),
    n: () => goIfReadable('/portal/sell'),
    j: () => moveThroughRows(1),
    k: () => moveThroughRows(-1),
    'shift+d': switchTheme,
  })
  return (
    <MemberContext value={member}>
      <InterruptedProducts value={interrupted}>
        <Frame
          isConsole={false}
          home={home}
          who={
            <div className="who">
              <b>{member.reseller.name}</b>
              <span>{text.account(member.reseller.account)}</span>
            </div>
          }
          person={{ name: member.username, role: text.memberRoles[member.role], to: '/portal/account' }}
          groups={[{ items: navigation.items }]}
          phoneItems={navigation.phone}
          phoneTitle={member.reseller.name}
          topEnd={<Purse />}
          onSearch={() => setOverlay('palette')}
          onHelp={() => setOverlay('help')}
          onSignOut={() => signOut.run()}
          lock={lock && { key: LOCK_KEY, run: lock }}
        >
          {isReadable ? <Outlet /> : <NotYours />}
        </Frame>
        <AskedProof api={ACCOUNT_API} />
        {overlay === 'palette' ? <PortalPalette onClose={() => setOverlay(undefined)} /> : null}
        {overlay === 'help' ? (
          <HelpDialog
            onClose={() => setOverlay(undefined)}
            goTo={GO_TO.filter(([, to]) => mayOpen(member, to)).map(([key, , name]) => [key, pages[name]])}
            hasSale={member.permissions.includes('sell')}
          />
        ) : null}
      </InterruptedProducts>
    </MemberContext>
  )
}

const GO_TO = [
  ['O', '/portal', 'overview'],
  ['P', '/portal/payments', 'payments'],
  ['S', '/portal/statement', 'statement'],
  ['C', '/portal/catalogue', 'catalogue'],
  ['D', '/portal/developers', 'developers'],
] as const

/** Stands in the place of a page that the role does not have. */
function NotYours() {
  const text = useText(PORTAL)
  const { is_by_pin: isByPin } = useMember()
  return (
    <>
      <PageHead title={text.notYours} />
      <Note tone="info">{isByPin ? text.notByPin : text.notYoursAbout}</Note>
    </>
  )
}

/** Balance in the top bar of every page. */
function Purse() {
  const text = useText(SHELL)
  const hasStatement = useMay('statement.read')
  const { data } = usePortal('portalGetBalance', {})
  if (data === undefined) return null
  const balance = (
    <>
      <span className="hide">{text.balance} </span>
      <b>
        <Money amount={data.data.balance} currency={data.data.currency} />
      </b>
    </>
  )
  if (!hasStatement) return <span className="purse">{balance}</span>
  return (
    <PageLink className="purse" to="/portal/statement">
      {balance}
    </PageLink>
  )
}

/**
 * Marks reads as old when the service says that something changed; a page that shows them reads them again. Returns the
 * products that do not work now, which the service tells every page itself.
 */
function usePortalFreshness(): ReadonlySet<string> {
  const [interrupted, setInterrupted] = useState<ReadonlySet<string>>(new Set())
  const client = useQueryClient()
  const renewal = useRenewal()
  const renew = (...ids: Parameters<typeof portalKey>[0][]) => {
    for (const id of ids) renewal(portalKey(id))
  }
  useLive(['payment', 'payments'], () => renew('portalGetOverview', 'portalGetPayment'))
  useLive(['order', 'payment', 'payments'], () =>
    renew('portalListOrders', 'portalGetOrder', 'portalListOrderDeliveries'),
  )
  useLive(['balance'], () =>
    renew('portalGetBalance', 'portalGetStatement', 'portalListMonths', 'portalListDays'),
  )
  useLive(['case'], () => renew('portalListCases', 'portalGetCase'))
  useLive(['delivery'], () => renew('portalListEndpoints', 'portalListDeliveries', 'portalGetOverview'))
  useLive(['catalog'], () => renew('portalGetCatalogue', 'portalGetSellCatalog'))
  useLive(['network'], (event) => {
    const told = event.data as LiveNetworkMessage['data']
    setInterrupted(new Set(told.interruptions.map(({ product }) => product)))
    renewal(portalKey('portalGetOverview'), (known) => isOverviewOld(known as OverviewResponse, told))
    renewal(portalKey('portalGetNetwork'), (known) => isStatusOld(known as NetworkStatus, told))
  })
  useLive(['reset'], () => void client.invalidateQueries())
  useLive(['bye'], (event) => {
    if ((event.data as LiveByeMessage['data']).reason === 'session_ended') announceSignedOut()
  })
  return interrupted
}
