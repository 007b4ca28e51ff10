import { useState } from 'react'
import type { Member } from '../../api/portal.generated.ts'
import { portal, portalKey } from '../../api/portal.ts'
import { SHELL } from '../../shell/messages.ts'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Segment } from '../../ui/field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { TEAM } from './messages.ts'

/** Changes what a member may do, or keeps one out. */
export function MemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const text = useText(TEAM)
  const shell = useText(SHELL)
  const [role, setRole] = useState(member.role)
  const [status, setStatus] = useState(member.status)
  const changes = {
    ...(role === member.role ? {} : { role }),
    ...(status === member.status ? {} : { status }),
  }
  const action = useAction({
    act: () => portal.call('portalChangeMember', { params: { id: member.id }, body: changes }),
    done: () => text.memberChanged(member.username),
    refresh: [portalKey('portalListMembers'), portalKey('portalListMailPreferences')],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.changeTitle(member.username)}
      isDangerous={status === 'disabled' && member.status === 'active'}
      action={text.change}
      isBusy={action.isBusy}
      isReady={Object.keys(changes).length > 0}
      error={action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.changeAbout}</p>
      <div className="stack tight">
        <span className="strong">{text.role}</span>
        <Segment
          label={text.role}
          value={role}
          onValue={setRole}
          options={[
            { value: 'admin', label: shell.roles.admin },
            { value: 'viewer', label: shell.roles.viewer },
          ]}
        />
        <p className="sub small">{role === 'admin' ? text.adminAbout : text.viewerCan}</p>
      </div>
      <div className="stack tight">
        <span className="strong">{text.state}</span>
        <Segment
          label={text.state}
          value={status}
          onValue={setStatus}
          options={[
            { value: 'active', label: text.statuses.active },
            { value: 'disabled', label: text.statuses.disabled },
          ]}
        />
        <p className="sub small">{text.statusAbout}</p>
      </div>
    </ConfirmDialog>
  )
}
