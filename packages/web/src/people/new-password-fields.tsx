import { useState } from 'react'
import { useText } from '../text/language.ts'
import { IconButton } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { PEOPLE } from './messages.ts'

export type NewPasswordFieldsProps = {
  readonly password: string
  readonly repeated: string
  readonly onPassword: (password: string) => void
  readonly onRepeated: (repeated: string) => void
  /** True once the form was sent: a difference is then said. */
  readonly wasSent: boolean
  /** Rule of the service that the password breaks. */
  readonly error: string | undefined
  readonly isLarge?: boolean
}

/** A new password twice, so that a slip of the finger locks nobody out. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { password, repeated, onPassword, onRepeated, wasSent, error, isLarge = false } = props
  const text = useText(PEOPLE)
  const [isShown, setShown] = useState(false)
  const type = isShown ? 'text' : 'password'
  const differs = wasSent && !isSamePassword(password, repeated)
  return (
    <>
      <TextField
        isLarge={isLarge}
        label={text.newPassword}
        hint={text.newPasswordHint}
        type={type}
        value={password}
        onValue={onPassword}
        autoComplete="new-password"
        error={error}
        after={
          <IconButton
            small
            icon="eye"
            label={isShown ? text.hidePassword : text.showPassword}
            onClick={() => setShown(!isShown)}
          />
        }
      />
      <TextField
        isLarge={isLarge}
        label={text.repeatPassword}
        type={type}
        value={repeated}
        onValue={onRepeated}
        autoComplete="new-password"
        error={differs ? (password === '' ? text.passwordMissing : text.passwordsDiffer) : undefined}
      />
    </>
  )
}

export function isSamePassword(password: string, repeated: string): boolean {
  return password !== '' && password === repeated
}
