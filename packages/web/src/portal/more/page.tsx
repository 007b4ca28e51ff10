import { AllPages } from '../../shell/all-pages.tsx'
import { SHELL } from '../../shell/messages.ts'
import { useSignOut } from '../../shell/session.ts'
import { useText } from '../../text/language.ts'
import { PageHead } from '../../ui/panel.tsx'
import { PORTAL } from '../messages.ts'
import { usePortalNavigation } from '../navigation.ts'
import { useMember } from '../session.ts'
import { endSession } from '../sign-out.ts'

export function Page() {
  const text = useText(PORTAL)
  const shell = useText(SHELL)
  const { items, developers } = usePortalNavigation(useMember())
  const signOut = useSignOut(endSession, '/portal/sign-in')
  const account = { to: '/portal/account', icon: 'lock', label: text.account } as const
  const groups = [
    { title: shell.pages, items: items.filter(({ to }) => to !== '/portal/developers') },
    { title: text.developers, items: developers },
    { title: text.account, items: [account] },
  ]
  return (
    <>
      <PageHead title={text.more} />
      <AllPages groups={groups} signOut={signOut} />
    </>
  )
}
