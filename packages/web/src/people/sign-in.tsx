import { useQueryClient } from '@tanstack/react-query'
import type { PasskeyChallenge, PasskeySignInRequest } from '../api/portal.generated.ts'
import { localPath } from '../shell/local-path.ts'
import { useFilters, useGo } from '../shell/navigation.tsx'
import { useText } from '../text/language.ts'
import type { Audience } from './demo-column.tsx'
import { DemoColumn, useDemoAccounts } from './demo-column.tsx'
import { PEOPLE } from './messages.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { PublicPage } from './public-page.tsx'
import type { Credentials } from './sign-in-form.tsx'
import { SignInForm } from './sign-in-form.tsx'

export type SignInProps = {
  readonly audience: Audience
  readonly about: string
  readonly signIn: (credentials: Credentials) => Promise<unknown>
  readonly beginPasskey: () => Promise<PasskeyChallenge>
  readonly finishPasskey: (body: PasskeySignInRequest) => Promise<unknown>
}

/** Page to sign in: by password and code, by passkey, or as somebody of the demo. */
export function SignIn({ audience, about, signIn, beginPasskey, finishPasskey }: SignInProps) {
  const text = useText(PEOPLE)
  const client = useQueryClient()
  const go = useGo()
  const [{ next }] = useFilters()
  const accounts = useDemoAccounts()
  const enter = () => {
    // Nothing that was read for somebody else stays.
    client.clear()
    go(localPath(next, `/${audience}`))
  }
  return (
    <PublicPage
      aside={
        accounts === undefined ? undefined : (
          <DemoColumn accounts={accounts} audience={audience} onSignedIn={enter} />
        )
      }
    >
      <h1>{text.signIn}</h1>
      <p className="sub">{about}</p>
      <SignInForm audience={audience} signIn={signIn} onSignedIn={enter} />
      <PasskeyButton begin={beginPasskey} finish={finishPasskey} onSignedIn={enter} />
    </PublicPage>
  )
}
