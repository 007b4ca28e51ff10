import { useState } from 'react'
import type { Invitations } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { SHELL } from '../../shell/messages.ts'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Segment, TextField } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { fieldError } from '../../ui/problem.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
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
      <Loaded reading={reading} bones={2}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="team" title={text.noInvitations} about={text.inviteAbout} />
          ) : (
            <Table caption={text.invitations} columns={columns} rows={data} rowKey={(each) => each.id} />
          )
        }
      </Loaded>
      {open === 'invite' ? <InviteDialog onClose={() => setOpen(undefined)} /> : null}
      {typeof open === 'object' ? (
        <WithdrawDialog invitation={open} onClose={() => setOpen(undefined)} />
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
  const shell = useText(SHELL)
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Invitation['role']>('viewer')
  const action = useAction({
    act: () => portal.call('createInvitation', { body: { email: email.trim(), role } }),
    done: () => text.invited(email.trim()),
    refresh: [portalKey('listInvitations')],
    onDone: onClose,
  })
  const emailError = fieldError(action.error, 'email')
  return (
    <ConfirmDialog
      title={text.inviteTitle}
      isDangerous={false}
      action={text.invite}
      isBusy={action.isBusy}
      isReady={email.trim() !== ''}
      error={emailError === undefined ? action.error : null}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.inviteAbout}</p>
      <TextField
        label={text.email}
        value={email}
        onValue={setEmail}
        type="email"
        inputMode="email"
        autoComplete="off"
        error={emailError}
      />
      <Segment
        label={text.role}
        value={role}
        onValue={setRole}
        options={[
          { value: 'viewer', label: shell.roles.viewer },
          { value: 'admin', label: shell.roles.admin },
        ]}
      />
      <p className="sub small">{role === 'admin' ? text.adminAbout : text.viewerCan}</p>
    </ConfirmDialog>
  )
}

function WithdrawDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const text = useText(TEAM)
  const action = useAction({
    act: () => portal.call('deleteInvitation', { params: { id: invitation.id } }),
    done: () => text.withdrawn(invitation.email),
    refresh: [portalKey('listInvitations')],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.withdrawTitle(invitation.email)}
      action={text.withdraw}
      keep={text.keepInvitation}
      isBusy={action.isBusy}
      error={action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.withdrawAbout}</p>
    </ConfirmDialog>
  )
}
