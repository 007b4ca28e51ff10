import { useQueryClient } from '@tanstack/react-query'
import { operator } from '../../api/operator.ts'
import { PEOPLE } from '../../people/messages.ts'
import { PublicPage } from '../../people/public-page.tsx'
import { SignInForm } from '../../people/sign-in-form.tsx'
import { localPath } from '../../shell/local-path.ts'
import { useFilters, useGo } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'

export function Page() {
  const text = useText(PEOPLE)
  const client = useQueryClient()
  const go = useGo()
  const [{ next }] = useFilters()
  return (
    <PublicPage>
      <h1>{text.signIn}</h1>
      <p className="sub">{text.aboutConsole}</p>
      <SignInForm
        audience="operator"
        signIn={({ name, ...rest }) =>
          operator.call('createOperatorSession', { body: { email: name, ...rest } })
        }
        onSignedIn={() => {
          client.clear()
          go(localPath(next, '/operator'))
        }}
      />
    </PublicPage>
  )
}
