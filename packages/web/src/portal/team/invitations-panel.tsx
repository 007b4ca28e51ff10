import { useState } from 'react'
import type { Invitations } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { createInvitation, deleteInvitation } from '../../api/portal-acts.generated.ts'
import { SHELL } from '../../shell/messages.ts'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { PortalAct } from '../act.tsx'
import { useRoleWords } from './members-panel.tsx'
import { TEAM } from './messages.ts'

type Invitation = Invitations['data'][number]

const TONES: Readonly<Record<Invitation['state'], Tone>> = {
  open: 'wait',
  accepted: 'ok',
  revoked: 'off',
  expired: 'off',
}

export function InvitationsPanel() {
  const text = useText(TEAM)
  const reading = usePortal('listInvitations', {})
  const [open, setOpen] = useState<'invite' | Invitation | undefined>(undefined)
  const columns = useColumns(setOpen)
  return (
    <Panel
      title={text.invitations}
      about={ZONE_NAME}
      isFlush
      actions={
        <Button size="sm" look="primary" icon="plus" onClick={() => setOpen('invite')}>
          {text.invite}
        </Button>
      }
    >
      <Loaded
        reading={reading}
        bones={2}
        empty={<Empty icon="team" title={text.noInvitations} about={text.inviteAbout} />}
      >
        {({ data }) => (
          <Table caption={text.invitations} columns={columns} rows={data} rowKey={(each) => each.id} />
        )}
      </Loaded>
      {open === 'invite' ? <InviteDialog onClose={() => setOpen(undefined)} /> : null}
      {typeof open === 'object' ? (
        <PortalAct
          act={deleteInvitation}
          input={{ params: { id: open.id } }}
          title={text.withdrawTitle(open.email)}
          action={text.withdraw}
          keep={text.keepInvitation}
          done={text.withdrawn(open.email)}
          refresh={['listInvitations']}
          onClose={() => setOpen(undefined)}
        >
          <p className="mid">{text.withdrawAbout}</p>
        </PortalAct>
      ) : null}
    </Panel>
  )
}

function useColumns(onWithdraw: (invitation: Invitation) => void): Column<Invitation>[] {
  const text = useText(TEAM)
  const shell = useText(SHELL)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 120,
      cell: ({ state }) => <State tone={TONES[state]}>{text.invitationStates[state]}</State>,
    },
    { key: 'email', head: text.email, folded: 'name', cell: (each) => each.email },
    { key: 'role', head: text.role, folded: 'detail', cell: (each) => shell.roles[each.role] },
    { key: 'sent', head: text.sent, cell: (each) => whenText(each.created_at) },
    { key: 'until', head: text.until, folded: 'time', cell: (each) => whenText(each.expires_at) },
    {
      key: 'act',
      head: <span className="hide">{text.withdraw}</span>,
      isRight: true,
      folded: 'amount',
      cell: (each) =>
        each.state !== 'open' ? null : (
          <Button
            size="sm"
            look="danger-quiet"
            aria-label={`${text.withdraw}: ${each.email}`}
            onClick={() => onWithdraw(each)}
          >
            {text.withdraw}
          </Button>
        ),
    },
  ]
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const text = useText(TEAM)
  const role = useRoleWords()
  return (
    <PortalAct
      act={createInvitation}
      title={text.inviteTitle}
      isDangerous={false}
      action={text.invite}
      done={(_, { email }) => text.invited(String(email).trim())}
      refresh={['listInvitations']}
      onClose={onClose}
      from={{ role: 'viewer' }}
      fields={(values) => ({
        email: { label: text.email, type: 'email', inputMode: 'email' },
        role: role(values.role),
      })}
    >
      <p className="mid">{text.inviteAbout}</p>
    </PortalAct>
  )
}
