import { operator } from '../../api/operator.ts'
import { Forgot } from '../../people/forgot-form.tsx'
import { PEOPLE } from '../../people/messages.ts'
import { SetPassword } from '../../people/set-password.tsx'
import { useText } from '../../text/language.ts'

// Pages for somebody who cannot sign in.

export function ForgotPage() {
  return (
    <Forgot
      audience="operator"
      request={(email) => operator.call('requestOperatorPasswordReset', { body: { email } })}
    />
  )
}

export function ResetPage() {
  const text = useText(PEOPLE)
  return (
    <SetPassword
      audience="operator"
      title={text.resetTitle}
      about={text.resetAbout}
      action={text.resetAction}
      done={text.resetDone}
      instead={
        <a className="link" href="/operator/forgot">
          {text.askAgain}
        </a>
      }
      send={({ token, password }) =>
        operator.call('confirmOperatorPasswordReset', { body: { token, password } })
      }
    />
  )
}
