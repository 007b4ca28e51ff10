import { useState } from 'react'
import type { Invitations, Member } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { createInvitation, deleteInvitation, portalChangeMember } from '../../api/portal-acts.generated.ts'
import { SHELL } from '../../shell/messages.ts'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import type { FieldWords } from '../../ui/act-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { PortalAct } from '../act.tsx'
import { useMay } from '../session.ts'
import { TEAM } from './messages.ts'

export function MembersPanel() {
  const text = useText(TEAM)
  const reading = usePortal('portalListMembers', {})
  const [changing, setChanging] = useState<Member | undefined>(undefined)
  const columns = useColumns(setChanging)
  return (
    <Panel title={text.members} about={ZONE_NAME} count={reading.data?.data.length} isFlush>
      <Loaded reading={reading} bones={3}>
        {({ data }) => (
          <Table caption={text.members} columns={columns} rows={data} rowKey={(each) => each.id} />
        )}
      </Loaded>
      {changing === undefined ? null : (
        <MemberDialog member={changing} onClose={() => setChanging(undefined)} />
      )}
    </Panel>
  )
}

function useColumns(onChange: (member: Member) => void): Column<Member>[] {
  const text = useText(TEAM)
  const shell = useText(SHELL)
  const mayChange = useMay('team.write')
  const columns: Column<Member>[] = [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 120,
      cell: ({ status }) => <State tone={status === 'active' ? 'ok' : 'off'}>{text.statuses[status]}</State>,
    },
    {
      key: 'name',
      head: text.member,
      folded: 'name',
      cell: (each) => (
        <>
          <b className="strong">{each.username}</b>{' '}
          {each.is_self ? <span className="tag">{text.you}</span> : null}
        </>
      ),
    },
    {
      key: 'email',
      head: text.email,
      folded: 'detail',
      cell: (each) => (
        <>
          {each.email || text.none}
          <span className="phone-only">{` · ${shell.memberRoles[each.role]}`}</span>
        </>
      ),
    },
    { key: 'role', head: text.role, cell: (each) => shell.memberRoles[each.role] },
    {
      key: 'factor',
      head: text.factor,
      cell: (each) => (
        <State tone={each.two_factor ? 'ok' : 'off'}>
          {each.two_factor ? text.factorOn : text.factorOff}
        </State>
      ),
    },
    {
      key: 'seen',
      head: text.lastSeen,
      folded: 'time',
      cell: (each) => (each.last_seen_at === null ? text.never : whenText(each.last_seen_at)),
    },
  ]
  if (!mayChange) return columns
  return [
    ...columns,
    {
      ...actionHead(text.change),
      cell: (each) =>
        each.is_self ? null : (
          <Button size="sm" aria-label={`${text.change}: ${each.username}`} onClick={() => onChange(each)}>
            {text.change}
          </Button>
        ),
    },
  ]
}

const ROLES = ['cashier', 'manager', 'accountant', 'viewer', 'admin'] as const

/** Words of a member's role, which say what each one may do. */
function useRoleWords(): FieldWords {
  const text = useText(TEAM)
  const shell = useText(SHELL)
  return {
    label: text.role,
    look: 'cards',
    options: ROLES.map((value) => ({ value, label: shell.memberRoles[value], about: text.roleAbout[value] })),
  }
}

/** Changes what a member may do, or keeps one out. */
function MemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const text = useText(TEAM)
  const roleWords = useRoleWords()
  return (
    <PortalAct
      isChange
      act={portalChangeMember}
      input={{ params: { id: member.id } }}
      title={text.changeTitle(member.username)}
      isDangerous={({ status }) => status === 'disabled' && member.status === 'active'}
      action={text.change}
      done={text.memberChanged(member.username)}
      refresh={['portalListMembers', 'portalListMailPreferences']}
      onClose={onClose}
      from={member}
      fields={{
        role: roleWords,
        status: {
          label: text.state,
          look: 'segment',
          options: (['active', 'disabled'] as const).map((value) => ({ value, label: text.statuses[value] })),
          hint: text.statusAbout,
        },
      }}
    >
      <p className="mid">{text.changeAbout}</p>
    </PortalAct>
  )
}

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
  const columns = useInvitationsColumns(setOpen)
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

function useInvitationsColumns(onWithdraw: (invitation: Invitation) => void): Column<Invitation>[] {
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
    { key: 'role', head: text.role, folded: 'detail', cell: (each) => shell.memberRoles[each.role] },
    { key: 'sent', head: text.sent, cell: (each) => whenText(each.created_at) },
    { key: 'until', head: text.until, folded: 'time', cell: (each) => whenText(each.expires_at) },
    {
      ...actionHead(text.withdraw),
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
      fields={{ email: { label: text.email, type: 'email', inputMode: 'email' }, role }}
    >
      <p className="mid">{text.inviteAbout}</p>
    </PortalAct>
  )
}
