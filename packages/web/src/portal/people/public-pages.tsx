import { portal } from '../../api/portal.ts'
import { Forgot } from '../../people/forgot-form.tsx'
import { PEOPLE } from '../../people/messages.ts'
import { PublicPage } from '../../people/public-page.tsx'
import { SetPassword, useLinkToken } from '../../people/set-password.tsx'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ACCESS_REQUESTS } from '../team/messages.ts'

// Pages that are opened by the link of a mail, or by somebody who cannot sign in.

export function ForgotPage() {
  return (
    <Forgot
      audience="portal"
      request={(username) => portal.call('requestPortalPasswordReset', { body: { username } })}
    />
  )
}

export function ResetPage() {
  const text = useText(PEOPLE)
  return (
    <SetPassword
      audience="portal"
      title={text.resetTitle}
      about={text.resetAbout}
      action={text.resetAction}
      done={text.resetDone}
      instead={
        <a className="link" href="/portal/forgot">
          {text.askAgain}
        </a>
      }
      send={({ token, password }) => portal.call('confirmPortalPasswordReset', { body: { token, password } })}
    />
  )
}

export function InvitationPage() {
  const text = useText(PEOPLE)
  return (
    <SetPassword
      audience="portal"
      title={text.invitationTitle}
      about={text.invitationAbout}
      action={text.invitationAction}
      done={text.invitationDone}
      asksName
      instead={text.inviteAgain}
      send={(body) => portal.call('acceptInvitation', { body })}
    />
  )
}

/** Page of the link in a mail that warns of access. It acts on a press alone: programs that read mails open links. */
export function StopPage() {
  const text = useText(ACCESS_REQUESTS)
  const people = useText(PEOPLE)
  const token = useLinkToken()
  const action = useAction({ act: () => portal.call('stopApproval', { body: { token } }) })
  const outcome = action.answer?.data.outcome
  const isOver = fieldError(action.error, 'token') !== undefined
  return (
    <PublicPage>
      <h1>{text.stopTitle}</h1>
      {outcome !== undefined ? (
        <div className="stack si-done" role="status">
          <Note tone={outcome === 'nothing' ? 'info' : 'ok'}>{text.outcomes[outcome]}</Note>
          <p className="sub">{text.call}</p>
        </div>
      ) : token === '' ? (
        <div className="stack si-done">
          <Note tone="warning">{people.wholeLink}</Note>
        </div>
      ) : (
        <div className="stack">
          <p className="sub">{text.stopAbout}</p>
          {isOver ? (
            <div role="alert">
              <Note tone="bad">{people.linkOver}</Note>
            </div>
          ) : (
            <ActionProblem error={action.error} />
          )}
          <Button look="danger" size="lg" isWide isBusy={action.isBusy} onClick={() => action.run()}>
            {text.stopAction}
          </Button>
        </div>
      )}
    </PublicPage>
  )
}
