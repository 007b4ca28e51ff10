import { portal } from '../../api/portal.ts'
import { PEOPLE } from '../../people/messages.ts'
import { SignIn } from '../../people/sign-in.tsx'
import { useText } from '../../text/language.ts'

export function Page() {
  const text = useText(PEOPLE)
  return (
    <SignIn
      audience="portal"
      about={text.about}
      signIn={({ name, ...rest }) =>
        portal.call('createPortalSession', { body: { username: name, ...rest } })
      }
      beginPasskey={() => portal.call('beginPortalPasskeySession', {})}
      finishPasskey={(body) => portal.call('createPortalPasskeySession', { body })}
    />
  )
}
