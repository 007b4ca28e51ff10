import type { ReactNode } from 'react'
import { TextField } from '../../ui/field.tsx'

export type PasswordFieldProps = {
  readonly label: string
  readonly hint?: ReactNode
  readonly value: string
  readonly onValue: (value: string) => void
}

/** Asks the member's own password once more before a change that a stolen session must not make. */
export function PasswordField(props: PasswordFieldProps) {
  return <TextField {...props} type="password" autoComplete="current-password" />
}
