import { operator } from '../../api/operator.ts'
import { AllPages } from '../../shell/all-pages.tsx'
import { useSignOut } from '../../shell/session.ts'
import { useText } from '../../text/language.ts'
import { PageHead } from '../../ui/panel.tsx'
import { CONSOLE } from '../messages.ts'
import { useConsoleNavigation } from '../navigation.ts'
import { useSignedIn } from '../session.ts'

export function Page() {
  const text = useText(CONSOLE)
  const { role } = useSignedIn()
  const { groups } = useConsoleNavigation(role)
  const signOut = useSignOut(() => operator.call('deleteOperatorSession', {}), '/operator/sign-in')
  const account = { to: '/operator/account', icon: 'lock', label: text.account } as const
  const titled = groups.map(({ title = text.overview, items }) => ({ title, items }))
  return (
    <>
      <PageHead title={text.more} about={text.moreAbout} />
      <AllPages groups={[...titled, { title: text.account, items: [account] }]} signOut={signOut} />
    </>
  )
}
