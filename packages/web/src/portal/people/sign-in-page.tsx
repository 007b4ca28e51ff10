import { useQueryClient } from '@tanstack/react-query'
import { portal } from '../../api/portal.ts'
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
      <p className="sub">{text.about}</p>
      <SignInForm
        audience="portal"
        signIn={({ name, ...rest }) =>
          portal.call('createPortalSession', { body: { username: name, ...rest } })
        }
        onSignedIn={() => {
          client.clear()
          go(localPath(next, '/portal'))
        }}
      />
    </PublicPage>
  )
}
