import { useQueryClient } from '@tanstack/react-query'
import { operator } from '../../api/operator.ts'
import { DevicePanel } from '../../shell/device-panel.tsx'
import { SHELL } from '../../shell/messages.ts'
import { PageLink, useGo } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CONSOLE } from '../messages.ts'
import { useConsoleNavigation } from '../navigation.ts'
import { useSignedIn } from '../session.ts'

/** All pages, for phones: their bottom bar has room for five. */
export function Page() {
  const text = useText(CONSOLE)
  const { role } = useSignedIn()
  const { groups } = useConsoleNavigation(role)
  const account = { to: '/operator/account', icon: 'lock', label: text.account } as const
  return (
    <>
      <PageHead title={text.more} about={text.moreAbout} />
      <div className="grid">
        {[...groups, { title: text.account, items: [account] }].map(({ title, items }) => (
          <Panel isFlush key={title ?? ''} title={title ?? text.overview}>
            <ul className="list">
              {items.map(({ to, icon, label }) => (
                <li key={to}>
                  <Icon name={icon} />
                  <PageLink className="t" to={to}>
                    {label}
                  </PageLink>
                  <Icon name="chevronRight" small />
                </li>
              ))}
            </ul>
          </Panel>
        ))}
        <SignOutPanel />
      </div>
    </>
  )
}

function SignOutPanel() {
  const text = useText(SHELL)
  const client = useQueryClient()
  const go = useGo()
  const signOut = useAction({
    act: () => operator.call('deleteOperatorSession', {}),
    done: () => text.signedOut,
    onDone: () => {
      client.clear()
      go('/operator/sign-in')
    },
  })
  return <DevicePanel onSignOut={() => signOut.run()} isBusy={signOut.isBusy} />
}
