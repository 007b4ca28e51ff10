import { useState } from 'react'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { ActionProblem } from '../ui/problem.tsx'
import { Note } from '../ui/state.tsx'
import { useAction } from '../ui/use-action.ts'
import type { Audience } from './demo-column.tsx'
import { PEOPLE } from './messages.ts'
import { PublicPage } from './public-page.tsx'

type ForgotProps = {
  readonly audience: Audience
  readonly request: (name: string) => Promise<unknown>
}

/** Page that asks for a mail with a link. Its answer is the same whether or not the person exists. */
export function Forgot({ audience, request }: ForgotProps) {
  const text = useText(PEOPLE)
  const [name, setName] = useState('')
  const [asked, setAsked] = useState<string | undefined>(undefined)
  const action = useAction({ act: () => request(name.trim()), onDone: () => setAsked(name.trim()) })
  return (
    <PublicPage>
      <h1>{text.forgotTitle}</h1>
      <p className="sub">{text.forgotAbout}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!action.isBusy && name.trim() !== '') action.run()
        }}
      >
        <TextField
          isLarge
          label={audience === 'portal' ? text.username : text.email}
          value={name}
          onValue={setName}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <ActionProblem error={action.error} />
        {asked === undefined ? null : (
          <div role="status">
            <Note tone="info">{text.forgotSent(asked)}</Note>
          </div>
        )}
        <Button
          type="submit"
          look="primary"
          size="lg"
          isWide
          isBusy={action.isBusy}
          disabled={name.trim() === ''}
        >
          {text.sendLink}
        </Button>
      </form>
      <p className="small si-back">
        <a className="link" href={`/${audience}/sign-in`}>
          {text.toSignIn}
        </a>
      </p>
    </PublicPage>
  )
}
