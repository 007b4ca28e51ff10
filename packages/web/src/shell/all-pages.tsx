import { Icon } from '../ui/icon.tsx'
import { Panel } from '../ui/panel.tsx'
import { DevicePanel } from './device-panel.tsx'
import type { NavigationItem } from './frame.tsx'
import { PageLink } from './navigation.tsx'
import type { useSignOut } from './session.ts'

type PageGroup = { readonly title: string; readonly items: readonly NavigationItem[] }

/** All pages in groups, and the panel of this device, for phones: their bottom bar has room for five. */
export function AllPages({
  groups,
  signOut,
}: {
  groups: readonly PageGroup[]
  signOut: ReturnType<typeof useSignOut>
}) {
  return (
    <div className="grid">
      {groups.map(({ title, items }) => (
        <Panel isFlush key={title} title={title}>
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
      <DevicePanel onSignOut={() => signOut.run()} isBusy={signOut.isBusy} />
    </div>
  )
}
