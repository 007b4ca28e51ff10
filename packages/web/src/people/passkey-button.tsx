import { useState } from 'react'
import { ApiProblem } from '../api/errors.ts'
import type { PasskeyChallenge, PasskeySignInRequest } from '../api/portal.generated.ts'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Note } from '../ui/state.tsx'
import { useAction } from '../ui/use-action.ts'
import { PEOPLE } from './messages.ts'
import { PasskeyTrouble } from './passkey-problem.tsx'
import { offersPasskeys, signWithPasskey } from './webauthn.ts'

export type PasskeyButtonProps = {
  readonly begin: () => Promise<PasskeyChallenge>
  readonly finish: (body: PasskeySignInRequest) => Promise<unknown>
  readonly onSignedIn: () => void
}

/** Signs in with a passkey: no name, no password, no code. Absent where the browser or the address offers none. */
export function PasskeyButton({ begin, finish, onSignedIn }: PasskeyButtonProps) {
  const text = useText(PEOPLE)
  const [isOffered] = useState(offersPasskeys)
  const action = useAction({
    act: async () => {
      const { data } = await begin()
      return finish({ ceremony: data.ceremony, credential: await signWithPasskey(data) })
    },
    onDone: onSignedIn,
  })
  if (!isOffered) return null
  if (action.error instanceof ApiProblem && action.error.status === 409) {
    return <Note tone="info">{text.noPasskeysHere}</Note>
  }
  return (
    <div className="stack tight si-passkey">
      <Button size="lg" isWide icon="lock" isBusy={action.isBusy} onClick={() => action.run()}>
        {text.signInWithPasskey}
      </Button>
      <PasskeyTrouble error={action.error} />
    </div>
  )
}
