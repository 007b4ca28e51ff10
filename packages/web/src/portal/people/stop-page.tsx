import { portal } from '../../api/portal.ts'
import { useLinkToken } from '../../people/link-token.ts'
import { PEOPLE } from '../../people/messages.ts'
import { PublicPage } from '../../people/public-page.tsx'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ACCESS_REQUESTS } from '../team/approvals-messages.ts'

/** Page of the link in a mail that warns of access. It acts on a press alone: programs that read mails open links. */
export function Page() {
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
