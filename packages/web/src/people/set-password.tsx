import type { ReactNode } from 'react'
import { useState } from 'react'
import { useText } from '../text/language.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { ActionProblem, fieldError } from '../ui/problem.tsx'
import { Note } from '../ui/state.tsx'
import { useAction } from '../ui/use-action.ts'
import type { Audience } from './demo-column.tsx'
import { useLinkToken } from './link-token.ts'
import { PEOPLE } from './messages.ts'
import { isSamePassword, NewPasswordFields } from './new-password-fields.tsx'
import { PublicPage } from './public-page.tsx'

export type LinkFields = { readonly token: string; readonly username: string; readonly password: string }

export type SetPasswordProps = {
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
