import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiProblem } from '../api/errors.ts'
import type { PasskeyChallenge, PasskeySignInRequest } from '../api/portal.generated.ts'
import { localPath } from '../shell/local-path.ts'
import { useFilters, useGo } from '../shell/navigation.tsx'
import { useText } from '../text/language.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Segment, TextField } from '../ui/field.tsx'
import { ActionProblem } from '../ui/problem.tsx'
import { useAction } from '../ui/use-action.ts'
import type { Audience } from './demo-column.tsx'
import { DemoColumn, useDemoAccounts } from './demo-column.tsx'
import { PEOPLE } from './messages.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { PublicPage } from './public-page.tsx'

type SignInProps = {
  readonly audience: Audience
  readonly about: string
  readonly signIn: (credentials: Credentials) => Promise<unknown>
  readonly beginPasskey: () => Promise<PasskeyChallenge>
  readonly finishPasskey: (body: PasskeySignInRequest) => Promise<unknown>
}

/** Page to sign in: by password and code, by passkey, or as somebody of the demo. */
export function SignIn({ audience, about, signIn, beginPasskey, finishPasskey }: SignInProps) {
  const text = useText(PEOPLE)
  const client = useQueryClient()
  const go = useGo()
  const [{ next }] = useFilters()
  const accounts = useDemoAccounts()
  const enter = () => {
    // Nothing that was read for somebody else stays.
    client.clear()
    go(localPath(next, `/${audience}`))
  }
  return (
    <PublicPage
      aside={
        accounts === undefined ? undefined : (
          <DemoColumn accounts={accounts} audience={audience} onSignedIn={enter} />
        )
      }
    >
      <h1>{text.signIn}</h1>
      <p className="sub">{about}</p>
      <SignInForm audience={audience} signIn={signIn} onSignedIn={enter} />
      <PasskeyButton begin={beginPasskey} finish={finishPasskey} onSignedIn={enter} />
    </PublicPage>
  )
}

type Credentials = { readonly name: string; readonly password: string; readonly code?: string }

type SignInFormProps = {
  readonly audience: 'portal' | 'operator'
  readonly signIn: (credentials: Credentials) => Promise<unknown>
  readonly onSignedIn: () => void
}

/** Name and password; the code of the second factor is asked for when the service wants it. */
function SignInForm({ audience, signIn, onSignedIn }: SignInFormProps) {
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
