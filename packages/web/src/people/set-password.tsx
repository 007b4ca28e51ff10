import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useText } from '../text/language.ts'
import { Button, buttonClass, IconButton } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { ActionProblem, fieldError } from '../ui/problem.tsx'
import { Note } from '../ui/state.tsx'
import { useAction } from '../ui/use-action.ts'
import type { Audience } from './demo-column.tsx'
import { PEOPLE } from './messages.ts'
import { PublicPage } from './public-page.tsx'

type LinkFields = { readonly token: string; readonly username: string; readonly password: string }

type SetPasswordProps = {
  readonly audience: Audience
  readonly title: string
  readonly about: string
  readonly action: string
  /** Says what holds afterwards. */
  readonly done: string
  /** True: the person chooses a name as well, as with an invitation. */
  readonly asksName?: boolean
  /** Way out for a link that no longer works. */
  readonly instead: ReactNode
  readonly send: (fields: LinkFields) => Promise<unknown>
}

/** Page of a mail's link: the person chooses a password. */
export function SetPassword(props: SetPasswordProps) {
  const text = useText(PEOPLE)
  const token = useLinkToken()
  const [isDone, setDone] = useState(false)
  return (
    <PublicPage>
      <h1>{props.title}</h1>
      {isDone ? (
        <div className="stack si-done" role="status">
          <Note tone="ok">{props.done}</Note>
          <a
            className={buttonClass({ look: 'primary', size: 'lg', isWide: true })}
            href={`/${props.audience}/sign-in`}
          >
            {text.signIn}
          </a>
        </div>
      ) : token === '' ? (
        <div className="stack si-done">
          <Note tone="warning">{text.wholeLink}</Note>
          <p className="small">{props.instead}</p>
        </div>
      ) : (
        <>
          <p className="sub">{props.about}</p>
          <PasswordForm {...props} token={token} onDone={() => setDone(true)} />
        </>
      )}
    </PublicPage>
  )
}

function PasswordForm(props: SetPasswordProps & { token: string; onDone: () => void }) {
  const { token, asksName = false, send, onDone } = props
  const text = useText(PEOPLE)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [wasSent, setSent] = useState(false)
  const action = useAction({ act: () => send({ token, username: username.trim(), password }), onDone })
  const tokenError = fieldError(action.error, 'token')
  const fieldErrors = ['username', 'password'].some((name) => fieldError(action.error, name) !== undefined)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setSent(true)
        if (!action.isBusy && isSamePassword(password, repeated)) action.run()
      }}
    >
      {asksName ? (
        <TextField
          isLarge
          label={text.username}
          hint={text.usernameHint}
          value={username}
          onValue={setUsername}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={fieldError(action.error, 'username')}
        />
      ) : null}
      <NewPasswordFields
        isLarge
        password={password}
        repeated={repeated}
        onPassword={setPassword}
        onRepeated={setRepeated}
        wasSent={wasSent}
        error={fieldError(action.error, 'password')}
      />
      {tokenError === undefined ? null : (
        <div role="alert">
          <Note tone="bad">
            {text.linkOver} {props.instead}
          </Note>
        </div>
      )}
      {tokenError === undefined && !fieldErrors ? <ActionProblem error={action.error} /> : null}
      <Button type="submit" look="primary" size="lg" isWide isBusy={action.isBusy}>
        {props.action}
      </Button>
    </form>
  )
}

type NewPasswordFieldsProps = {
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

/**
 * Returns the token after the # of a mail's link, and takes it out of the address: it stays in no history, and nobody
 * reads it over a shoulder. Empty: the address had none.
 */
export function useLinkToken(): string {
  const { hash } = useLocation()
  const [token, setToken] = useState(hash)
  useEffect(() => {
    // A second link in the same tab changes the part after the # alone.
    if (hash === '') return
    setToken(hash)
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [hash])
  return token
}
