import { useState } from 'react'
import type { ResellerUser } from '../../api/operator.generated.ts'
import { operator, operatorKey } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Pick } from '../parts/pick.tsx'
import { ReasonField } from '../parts/reason-dialog.tsx'
import { PEOPLE } from './people-messages.ts'

type Role = ResellerUser['role']
type Status = ResellerUser['status']

function RolePick({ value, onValue }: { value: Role; onValue: (role: Role) => void }) {
  const text = useText(PEOPLE)
  return (
    <Pick
      label={text.role}
      value={value}
      onValue={onValue}
      options={(['admin', 'viewer'] as const).map((role) => ({
        value: role,
        label: text.roles[role],
        about: text.roleAbout[role],
      }))}
    />
  )
}

export function NewUserDialog({ account, onClose }: { account: string; onClose: () => void }) {
  const text = useText(PEOPLE)
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('admin')
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () =>
      operator.call('createResellerUser', {
        params: { account },
        body: {
          username: username.trim(),
          role,
          reason: reason.trim(),
          ...(email.trim() === '' ? {} : { email: email.trim() }),
        },
      }),
    done: ({ data }) => ('kind' in data ? text.waits : text.added(data.username)),
    refresh: [operatorKey('listResellerUsers'), operatorKey('listApprovals')],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.addTitle}
      isDangerous={false}
      action={text.add}
      isBusy={action.isBusy}
      error={action.error}
      isReady={username.trim() !== '' && reason.trim() !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.secondPerson}</p>
      <TextField
        label={text.username}
        error={fieldError(action.error, 'username')}
        autoComplete="off"
        spellCheck={false}
        value={username}
        onValue={setUsername}
      />
      <TextField
        label={text.email}
        hint={text.emailHint}
        error={fieldError(action.error, 'email')}
        type="email"
        autoComplete="off"
        value={email}
        onValue={setEmail}
      />
      <RolePick value={role} onValue={setRole} />
      <ReasonField value={reason} onValue={setReason} error={action.error} />
    </ConfirmDialog>
  )
}

type ChangeUserProps = { account: string; user: ResellerUser; onClose: () => void }

/** Changes a user's role, or keeps the user out. */
export function ChangeUserDialog({ account, user, onClose }: ChangeUserProps) {
  const text = useText(PEOPLE)
  const [role, setRole] = useState<Role>(user.role)
  const [status, setStatus] = useState<Status>(user.status)
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () =>
      operator.call('updateResellerUser', {
        params: { account, username: user.username },
        body: {
          reason: reason.trim(),
          ...(role === user.role ? {} : { role }),
          ...(status === user.status ? {} : { status }),
        },
      }),
    done: ({ data }) => ('kind' in data ? text.waits : text.changed(user.username)),
    refresh: [operatorKey('listResellerUsers'), operatorKey('listApprovals')],
    onDone: onClose,
  })
  const isOther = role !== user.role || status !== user.status
  const isWider =
    (role === 'admin' && user.role !== 'admin') || (status === 'active' && user.status !== 'active')
  return (
    <ConfirmDialog
      title={text.changeTitle(user.username)}
      isDangerous={status === 'disabled' && user.status === 'active'}
      action={text.change}
      isBusy={action.isBusy}
      error={action.error}
      isReady={isOther && reason.trim() !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      {isWider ? <p className="mid">{text.secondPerson}</p> : null}
      <RolePick value={role} onValue={setRole} />
      <Pick
        label={text.state}
        value={status}
        onValue={setStatus}
        options={[
          { value: 'active', label: text.states.active, about: text.activeAbout },
          { value: 'disabled', label: text.states.disabled, about: text.keptOutAbout },
        ]}
      />
      <ReasonField value={reason} onValue={setReason} error={action.error} />
    </ConfirmDialog>
  )
}
