import { useState } from 'react'
import { ApiProblem } from '../api/errors.ts'
import { useText } from '../text/language.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Segment, TextField } from '../ui/field.tsx'
import { ActionProblem } from '../ui/problem.tsx'
import { useAction } from '../ui/use-action.ts'
import { PEOPLE } from './messages.ts'

export type Credentials = { readonly name: string; readonly password: string; readonly code?: string }

export type SignInFormProps = {
  readonly audience: 'portal' | 'operator'
  readonly signIn: (credentials: Credentials) => Promise<unknown>
  readonly onSignedIn: () => void
}

/** Name and password; the code of the second factor is asked for when the service wants it. */
export function SignInForm({ audience, signIn, onSignedIn }: SignInFormProps) {
  const text = useText(PEOPLE)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isShown, setShown] = useState(false)
  const action = useAction({ act: signIn, onDone: onSignedIn })
  const problem = action.error instanceof ApiProblem ? action.error.code : undefined
  const asksCode = problem === 'code_required' || problem === 'invalid_code' || code !== ''
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!action.isBusy) action.run({ name, password, ...(code === '' ? {} : { code }) })
      }}
    >
      <Segment
        label={text.who}
        value={audience}
        onValue={(next) => {
          if (next !== audience) location.assign(`/${next}/sign-in`)
        }}
        options={[
          { value: 'portal', label: text.reseller },
          { value: 'operator', label: text.operator },
        ]}
      />
      <TextField
        isLarge
        label={audience === 'portal' ? text.username : text.email}
        value={name}
        onValue={setName}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        isLarge
        label={text.password}
        aside={
          <a className="link small" href={`/${audience}/forgot`}>
            {text.forgot}
          </a>
        }
        type={isShown ? 'text' : 'password'}
        value={password}
        onValue={setPassword}
        autoComplete="current-password"
        error={problem === 'invalid_credentials' ? text.wrong : undefined}
        after={
          <IconButton
            small
            icon="eye"
            label={isShown ? text.hidePassword : text.showPassword}
            onClick={() => setShown(!isShown)}
          />
        }
      />
      {asksCode ? (
        <TextField
          isLarge
          autoFocus
          label={text.code}
          hint={text.codeHint}
          value={code}
          onValue={setCode}
          autoComplete="one-time-code"
          inputMode="numeric"
          error={problem === 'invalid_code' ? text.wrongCode : undefined}
        />
      ) : null}
      {problem === undefined || EXPECTED.has(problem) ? null : <ActionProblem error={action.error} />}
      <Button type="submit" look="primary" size="lg" isWide isBusy={action.isBusy}>
        {text.signIn}
      </Button>
      <p className="small sub">{text.remark}</p>
    </form>
  )
}

/** Answers that a field of the form explains by itself. */
const EXPECTED = new Set(['invalid_credentials', 'code_required', 'invalid_code'])
