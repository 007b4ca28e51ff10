import { useText } from '../text/language.ts'
import { ActionProblem } from '../ui/problem.tsx'
import { Note } from '../ui/state.tsx'
import { PEOPLE } from './messages.ts'
import { PasskeyProblem } from './webauthn.ts'

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
