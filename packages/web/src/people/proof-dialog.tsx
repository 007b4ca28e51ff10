import { useState } from 'react'
import { ApiProblem } from '../api/errors.ts'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { UI } from '../ui/messages.ts'
import { problemText } from '../ui/problem-text.ts'
import { useAction } from '../ui/use-action.ts'
import type { AccountApi } from './account-api.ts'
import { ACCOUNT } from './account-messages.ts'
import { PasskeyTrouble } from './passkey-button.tsx'
import { offersPasskeys, signWithPasskey } from './webauthn.ts'

export type ProofDialogProps = {
  readonly api: AccountApi
  readonly onSettled: (isGiven: boolean) => void
}

/** Asks for a fresh proof: by the password, or by a passkey where the person has one. */
export function ProofDialog({ api, onSettled }: ProofDialogProps) {
  const text = useText(ACCOUNT)
  const ui = useText(UI)
  const [password, setPassword] = useState('')
  const byPassword = useAction({ act: () => api.prove({ password }), onDone: () => onSettled(true) })
  const byPasskey = useAction({
    act: async () => {
      const { data } = await api.beginProof()
      return api.prove({ ceremony: data.ceremony, credential: await signWithPasskey(data) })
    },
    onDone: () => onSettled(true),
  })
  const hasPasskeys = (api.usePasskeys().data?.data.length ?? 0) > 0
  const isBusy = byPassword.isBusy || byPasskey.isBusy
  const isWrong = byPassword.error instanceof ApiProblem && byPassword.error.code === 'wrong_password'
  return (
    <Dialog
      title={text.proofTitle}
      onClose={() => onSettled(false)}
      onSubmit={() => {
        if (password !== '' && !isBusy) byPassword.run()
      }}
      footer={
        <>
          <Button onClick={() => onSettled(false)}>{ui.cancel}</Button>
          <Button type="submit" look="primary" isBusy={byPassword.isBusy} disabled={password === ''}>
            {text.goOn}
          </Button>
        </>
      }
    >
      <p className="mid">{text.proofAbout}</p>
      <TextField
        label={text.yourPassword}
        type="password"
        value={password}
        onValue={setPassword}
        autoComplete="current-password"
        error={isWrong ? problemText(byPassword.error, ui) : undefined}
      />
      {hasPasskeys && offersPasskeys() ? (
        <Button isWide icon="lock" isBusy={byPasskey.isBusy} onClick={() => byPasskey.run()}>
          {text.proofByPasskey}
        </Button>
      ) : null}
      <PasskeyTrouble error={isWrong ? byPasskey.error : (byPassword.error ?? byPasskey.error)} />
    </Dialog>
  )
}
