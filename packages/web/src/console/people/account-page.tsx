import { Account } from '../../people/account.tsx'
import { ACCOUNT } from '../../people/account-messages.ts'
import { SHELL } from '../../shell/messages.ts'
import { useText } from '../../text/language.ts'
import { useSignedIn } from '../session.ts'
import { ACCOUNT_API } from './account-api.ts'
import { TokensPanel } from './tokens-panel.tsx'

export function Page() {
  const text = useText(ACCOUNT)
  const shell = useText(SHELL)
  const { name, email, role } = useSignedIn()
  return (
    <Account
      api={ACCOUNT_API}
      facts={[
        { term: text.name, value: name },
        { term: text.email, value: email },
        { term: text.role, value: shell.roles[role] },
      ]}
    >
      <TokensPanel />
    </Account>
  )
}
