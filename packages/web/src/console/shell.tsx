import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SESSION_READ } from '../api/client.ts'
import { ApiProblem } from '../api/errors.ts'
import { openLive, setLive, useLive } from '../api/live.ts'
import type { LiveByeMessage, OperatorOverview } from '../api/operator.generated.ts'
import { operator, operatorKey, useOperator } from '../api/operator.ts'
import { useRenewal } from '../api/renewal.ts'
import { announceSignedOut, useSecondFactorMissing } from '../api/signals.ts'
import { AskedProof } from '../people/asked-proof.tsx'
import { switchTheme } from '../shell/device-panel.tsx'
import { Frame } from '../shell/frame.tsx'
import { HelpDialog } from '../shell/help.tsx'
import { SHELL } from '../shell/messages.ts'
import { useGo } from '../shell/navigation.tsx'
import { useSignInFirst, useSignOut } from '../shell/session.ts'
import { findOnPage, moveThroughRows, useShortcuts } from '../shell/shortcuts.ts'
import { useText } from '../text/language.ts'
import { ProblemPanel } from '../ui/problem.tsx'
import { CONSOLE } from './messages.ts'
import type { ConsoleCounts } from './navigation.ts'
import { useConsoleNavigation } from './navigation.ts'
import { ConsolePalette } from './palette.tsx'
import { ACCOUNT_API } from './people/account-api.ts'
import type { Operator } from './session.ts'
import { OperatorContext } from './session.ts'
import './console.css'

/** Shell of the console: it waits for the session, and leads to the sign-in page without one. */
export function ConsoleShell() {
  const session = useOperator('getOperatorSession', SESSION_READ)
  useSignInFirst(session.data === null, '/operator/sign-in')
  if (session.data) {
    operator.setCsrfToken(session.data.csrf_token)
    return <SignedIn person={session.data.data} />
  }
  if (session.error instanceof ApiProblem && session.error.status !== 401) {
    return <ProblemPanel error={session.error} onRetry={() => void session.refetch()} />
  }
  return null
}

function SignedIn({ person }: { person: Operator }) {
  const text = useText(SHELL)
  const pages = useText(CONSOLE)
  const go = useGo()
  const overview = useOperator('getOperatorOverview', {})
  const navigation = useConsoleNavigation(person.role, countsOf(overview.data?.data))
  const [overlay, setOverlay] = useState<'palette' | 'help' | undefined>(undefined)
  const signOut = useSignOut(() => operator.call('deleteOperatorSession', {}), '/operator/sign-in')
  const isKeptOut = useKeptOut()
  useEffect(() => {
    if (isKeptOut) return
    setLive(openLive('/operator/v1/live'))
    return () => setLive(undefined)
  }, [isKeptOut])
  useConsoleFreshness()
  useShortcuts({
    'ctrl+k': () => setOverlay('palette'),
    '?': () => setOverlay('help'),
    '/': findOnPage,
    'g o': () => go('/operator'),
    'g p': () => go('/operator/payments'),
    'g s': () => go('/operator/stuck'),
    'g c': () => go('/operator/catalogue'),
    'g a': () => go('/operator/approvals'),
    j: () => moveThroughRows(1),
    k: () => moveThroughRows(-1),
    'shift+d': switchTheme,
  })
  return (
    <OperatorContext value={person}>
      <Frame
        isConsole
        home="/operator"
        person={{ name: person.name, role: text.roles[person.role], to: '/operator/account' }}
        groups={navigation.groups}
        phoneItems={navigation.phone}
        phoneTitle={text.console}
        onSearch={() => setOverlay('palette')}
        onHelp={() => setOverlay('help')}
        onSignOut={() => signOut.run()}
      >
        <Outlet />
      </Frame>
      <AskedProof api={ACCOUNT_API} />
      {overlay === 'palette' ? <ConsolePalette onClose={() => setOverlay(undefined)} /> : null}
      {overlay === 'help' ? (
        <HelpDialog
          onClose={() => setOverlay(undefined)}
          goTo={[
            ['O', pages.overview],
            ['P', pages.payments],
            ['S', pages.stuck],
            ['C', pages.catalogue],
            ['A', pages.approvals],
          ]}
          hasSale={false}
        />
      ) : null}
    </OperatorContext>
  )
}

/** Keeps a person without the second factor that the service demands on the page where they set one up. */
function useKeptOut(): boolean {
  const isKeptOut = useSecondFactorMissing()
  const go = useGo()
  const { pathname } = useLocation()
  useEffect(() => {
    if (isKeptOut && pathname !== ACCOUNT) go(ACCOUNT, undefined, { replace: true })
  })
  return isKeptOut
}

const ACCOUNT = '/operator/account'

/** Counts of the side column: things that wait for a person. */
function countsOf(overview: OperatorOverview | undefined): ConsoleCounts {
  return {
    stuck: overview?.stuck?.payments,
    approvals: overview?.approvals?.pending,
    cases: overview?.cases?.open,
    alerts: overview?.alerts == null ? undefined : overview.alerts.critical + overview.alerts.warning,
  }
}

/** Marks reads as old when the service says that something changed; a page that shows them reads them again. */
function useConsoleFreshness(): void {
  const client = useQueryClient()
  const renewal = useRenewal()
  const renew = (...ids: Parameters<typeof operatorKey>[0][]) => {
    for (const id of ids) renewal(operatorKey(id))
  }
  useLive(['payments'], () => renew('searchPayments', 'getPayment'))
  useLive(['stuck'], () => renew('listStuckPayments', 'getOperatorOverview'))
  useLive(['alert'], () => renew('listAlerts', 'getOperatorOverview'))
  useLive(['approval'], () => renew('listApprovals', 'getApproval', 'getOperatorOverview'))
  useLive(['case'], () => renew('listAllCases', 'getAnyCase', 'getOperatorOverview'))
  useLive(['providers'], () => renew('listProviders', 'getProvider', 'getOperatorOverview'))
  useLive(['ledger'], () => renew('listLedgerProofs', 'getOperatorOverview'))
  useLive(['reset'], () => void client.invalidateQueries())
  useLive(['bye'], (event) => {
    if ((event.data as LiveByeMessage['data']).reason === 'session_ended') announceSignedOut()
  })
}
