import { Account } from '../../people/account.tsx'
import { ACCOUNT } from '../../people/account-messages.ts'
import { SHELL } from '../../shell/messages.ts'
import { useText } from '../../text/language.ts'
import { useMay, useMember } from '../session.ts'
import { PinPanel } from '../shared-tills/pin-panel.tsx'
import { ACCOUNT_API } from './account-api.ts'
import { MailLanguagePanel } from './mail-language-panel.tsx'

export function Page() {
  const text = useText(ACCOUNT)
  const shell = useText(SHELL)
  const mayHavePin = useMay('pin.write')
  const { username, email, role, reseller } = useMember()
  return (
    <Account
      api={ACCOUNT_API}
      facts={[
        { term: text.username, value: username },
        { term: text.email, value: email === '' ? text.noEmail : email },
        { term: text.role, value: shell.memberRoles[role] },
        { term: text.reseller, value: `${reseller.name} (${reseller.account})` },
      ]}
    >
      <MailLanguagePanel />
      {mayHavePin ? <PinPanel /> : null}
    </Account>
  )
}
