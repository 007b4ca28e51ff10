import { operator } from '../../api/operator.ts'
import { PEOPLE } from '../../people/messages.ts'
import { SignIn } from '../../people/sign-in.tsx'
import { useText } from '../../text/language.ts'

export function Page() {
  const text = useText(PEOPLE)
  return (
    <SignIn
      audience="operator"
      about={text.aboutConsole}
      signIn={({ name, ...rest }) =>
        operator.call('createOperatorSession', { body: { email: name, ...rest } })
      }
      beginPasskey={() => operator.call('beginOperatorPasskeySession', {})}
      finishPasskey={(body) => operator.call('createOperatorPasskeySession', { body })}
    />
  )
}
