import { useState } from 'react'
import { useText } from '../text/language.ts'
import { TextField } from '../ui/field.tsx'
import { fieldError } from '../ui/problem.tsx'
import { ACCOUNT } from './account-messages.ts'

export type Proof = { readonly password: string; readonly code: string }

type ProofState = Proof & {
  readonly isReady: boolean
  readonly setPassword: (password: string) => void
  readonly setCode: (code: string) => void
  readonly asksCode: boolean
}

/** State of the fields by which a person proves once more who they are. */
export function useProof(asksCode: boolean): ProofState {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const isReady = password !== '' && (!asksCode || code.trim() !== '')
  return { password, code: code.trim(), setPassword, setCode, asksCode, isReady }
}

/** Body of a request with a proof; the code is left out where there is no second factor. */
export function proofBody({ password, code, asksCode }: ProofState): { password: string; code?: string } {
  return asksCode ? { password, code } : { password }
}

/** Password, and the code of the second factor where there is one. An open screen alone changes no sign-in. */
export function ProofFields({ proof, error }: { proof: ProofState; error: unknown }) {
  const text = useText(ACCOUNT)
  return (
    <>
      <TextField
        label={text.yourPassword}
        type="password"
        value={proof.password}
        onValue={proof.setPassword}
        autoComplete="current-password"
        error={fieldError(error, 'password')}
      />
      {proof.asksCode ? (
        <TextField
          label={text.code}
          hint={text.codeHint}
          value={proof.code}
          onValue={proof.setCode}
          autoComplete="one-time-code"
          inputMode="numeric"
          error={fieldError(error, 'code')}
        />
      ) : null}
    </>
  )
}

/** True when one of these fields shows the error by itself. */
export function isAboutField(error: unknown, ...names: readonly string[]): boolean {
  return names.some((name) => fieldError(error, name) !== undefined)
}
