import { useText } from '../../text/language.ts'
import { PageHead } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { useIsAdmin } from '../session.ts'
import { ApprovalsPanel } from './approvals-panel.tsx'
import { InvitationsPanel } from './invitations-panel.tsx'
import { MailsPanel } from './mails-panel.tsx'
import { MembersPanel } from './members-panel.tsx'
import { TEAM } from './messages.ts'
import { ThresholdsPanel } from './thresholds-panel.tsx'
import './team.css'

/** Members of the reseller, and the mails that each of them gets. */
export function Page() {
  const text = useText(TEAM)
  const pages = useText(PORTAL)
  const isAdmin = useIsAdmin()
  return (
    <>
      <PageHead title={pages.team} about={text.about} />
      <div className="grid">
        {isAdmin ? null : (
          <Note tone="info">
            <b>{text.viewer}</b> {text.viewerAbout}
          </Note>
        )}
        {isAdmin ? <ApprovalsPanel /> : null}
        <MembersPanel />
        {isAdmin ? <InvitationsPanel /> : null}
        <div className="grid team-alerts">
          <MailsPanel />
          <ThresholdsPanel />
        </div>
      </div>
    </>
  )
}
