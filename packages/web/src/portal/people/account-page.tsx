import { Account } from '../../people/account.tsx'
import { ACCOUNT } from '../../people/account-messages.ts'
import { SHELL } from '../../shell/messages.ts'
import { useText } from '../../text/language.ts'
import { useMember } from '../session.ts'
import { ACCOUNT_API } from './account-api.ts'
import { MailLanguagePanel } from './mail-language-panel.tsx'

export function Page() {
  const text = useText(ACCOUNT)
  const shell = useText(SHELL)
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
    </Account>
  )
}
