import { useState } from 'react'
import type { RequestForAccess } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { portalApproveApproval, portalRefuseApproval } from '../../api/portal-acts.generated.ts'
import { SHELL } from '../../shell/messages.ts'
import { whenText } from '../../text/dates.ts'
import type { Translated } from '../../text/language.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Panel } from '../../ui/panel.tsx'
import { PortalAct } from '../act.tsx'
import { ACCESS_REQUESTS } from './messages.ts'

type Verdict = 'approve' | 'refuse'
type Words = Translated<(typeof ACCESS_REQUESTS)['en']>

/** Requests of operators for access to this account that wait for a second person; nothing is shown without one. */
export function ApprovalsPanel() {
  const text = useText(ACCESS_REQUESTS)
  const reading = usePortal('portalListApprovals', {})
  const [chosen, setChosen] = useState<{ request: RequestForAccess; verdict: Verdict } | undefined>(undefined)
  const waiting = reading.data?.data.filter(({ state }) => state === 'pending') ?? []
  if (waiting.length === 0) return null
  return (
    <Panel title={text.title} about={text.about} isFlush>
      <ul className="list">
        {waiting.map((request) => (
          <li key={request.id}>
            <Icon name="team" />
            <div className="t">
              <Sentence request={request} />
              <small className="anywhere">{request.reason}</small>
              <small className="anywhere">
                {text.asked(request.requested_by, whenText(request.expires_at))}
              </small>
            </div>
            <span className="row acts">
              <Button size="sm" onClick={() => setChosen({ request, verdict: 'refuse' })}>
                {text.refuse}
              </Button>
              <Button size="sm" look="primary" onClick={() => setChosen({ request, verdict: 'approve' })}>
                {text.approve}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {chosen === undefined ? null : <DecideDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </Panel>
  )
}

function Sentence({ request: { kind, command } }: { request: RequestForAccess }) {
  const text = useText(ACCESS_REQUESTS)
  const roles: Readonly<Record<string, string>> = useText(SHELL).memberRoles
  const role = roles[command.role ?? ''] ?? ''
  const name = command.username ?? ''
  const email = command.email ?? ''
  const said =
    kind === 'user_create'
      ? text.newUser(name, email, role)
      : kind === 'user_change'
        ? text.user(name, email, widened(command, role, text))
        : text.address(command.from ?? '', email)
  return (
    <p className="mid-weight anywhere">
      {said} {kind === 'reseller_email' ? null : text.canSpend}
    </p>
  )
}

/** Says what the login gets: a role, being let in again, or both. */
function widened({ status }: RequestForAccess['command'], role: string, text: Words): string {
  const gets = role === '' ? [] : [text.getsRole(role)]
  return [...(status === 'active' ? [text.letInAgain] : []), ...gets].join(text.and)
}

type DecideProps = { request: RequestForAccess; verdict: Verdict; onClose: () => void }

function DecideDialog({ request, verdict, onClose }: DecideProps) {
  const text = useText(ACCESS_REQUESTS)
  const isApproval = verdict === 'approve'
  return (
    <PortalAct
      act={isApproval ? portalApproveApproval : portalRefuseApproval}
      input={{ params: { id: request.id } }}
      title={isApproval ? text.approveTitle : text.refuseTitle}
      isDangerous={!isApproval}
      action={isApproval ? text.approve : text.refuse}
      done={isApproval ? text.approved : text.refused}
      refresh={['portalListApprovals', 'portalListMembers']}
      onClose={onClose}
    >
      <Sentence request={request} />
      <p className="mid">{isApproval ? text.approveAbout : text.refuseAbout}</p>
    </PortalAct>
  )
}
