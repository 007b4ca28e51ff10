import { useState } from 'react'
import { ApiProblem } from '../api/errors.ts'
import type { PasskeyChallenge, PasskeySignInRequest } from '../api/portal.generated.ts'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { ActionProblem } from '../ui/problem.tsx'
import { Note } from '../ui/state.tsx'
import { useAction } from '../ui/use-action.ts'
import { PEOPLE } from './messages.ts'
import { offersPasskeys, PasskeyProblem, signWithPasskey } from './webauthn.ts'

type PasskeyButtonProps = {
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

/** Error of something done with a passkey: of the device, or of the service. */
export function PasskeyTrouble({ error }: { error: unknown }) {
  const text = useText(PEOPLE)
  if (!(error instanceof PasskeyProblem)) return <ActionProblem error={error} />
  return (
    <div role="alert">
      <Note tone="warning">
        {error.reason === 'elsewhere' ? text.passkeyElsewhere(error.host) : text.passkeyReasons[error.reason]}
      </Note>
    </div>
  )
}
