import { portal } from '../../api/portal.ts'
import { PEOPLE } from '../../people/messages.ts'
import { SetPassword } from '../../people/set-password.tsx'
import { useText } from '../../text/language.ts'

export function Page() {
  const text = useText(PEOPLE)
  return (
    <SetPassword
      audience="portal"
      title={text.resetTitle}
      about={text.resetAbout}
      action={text.resetAction}
      done={text.resetDone}
      instead={
        <a className="link" href="/portal/forgot">
          {text.askAgain}
        </a>
      }
      send={({ token, password }) => portal.call('confirmPortalPasswordReset', { body: { token, password } })}
    />
  )
}
