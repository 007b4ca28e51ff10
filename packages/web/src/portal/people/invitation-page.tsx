import { portal } from '../../api/portal.ts'
import { PEOPLE } from '../../people/messages.ts'
import { SetPassword } from '../../people/set-password.tsx'
import { useText } from '../../text/language.ts'

export function Page() {
  const text = useText(PEOPLE)
  return (
    <SetPassword
      audience="portal"
      title={text.invitationTitle}
      about={text.invitationAbout}
      action={text.invitationAction}
      done={text.invitationDone}
      asksName
      instead={text.inviteAgain}
      send={(body) => portal.call('acceptInvitation', { body })}
    />
  )
}
