import { useQueryClient } from '@tanstack/react-query'
import { portal } from '../../api/portal.ts'
import { DevicePanel } from '../../shell/device-panel.tsx'
import { SHELL } from '../../shell/messages.ts'
import { PageLink, useGo } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Icon } from '../../ui/icon.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PORTAL } from '../messages.ts'
import { usePortalNavigation } from '../navigation.ts'

/** All pages, for phones: their bottom bar has room for five. */
export function Page() {
  const text = useText(PORTAL)
  const shell = useText(SHELL)
  const { items, developers } = usePortalNavigation()
  const account = { to: '/portal/account', icon: 'lock', label: text.account } as const
  const groups = [
    { title: shell.pages, items: items.filter(({ to }) => to !== '/portal/developers') },
    { title: text.developers, items: developers },
    { title: text.account, items: [account] },
  ]
  return (
    <>
      <PageHead title={text.more} />
      <div className="grid">
        {groups.map((group) => (
          <Panel isFlush key={group.title} title={group.title}>
            <ul className="list">
              {group.items.map(({ to, icon, label }) => (
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
    act: () => portal.call('deletePortalSession', {}),
    done: () => text.signedOut,
    onDone: () => {
      client.clear()
      go('/portal/sign-in')
    },
  })
  return <DevicePanel onSignOut={() => signOut.run()} isBusy={signOut.isBusy} />
}
