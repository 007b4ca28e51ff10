import { useState } from 'react'
import type { Operator } from '../../api/operator.generated.ts'
import { operator as api, operatorKey } from '../../api/operator.ts'
import { isAboutField } from '../../people/field-problems.ts'
import { SHELL } from '../../shell/messages.ts'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Segment, SelectField, TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ReasonField } from '../parts/reason-dialog.tsx'
import { OPERATORS } from './people-messages.ts'
import { ROLES } from './roles.ts'

type Role = Operator['role']
type Props = { readonly operator: Operator; readonly onClose: () => void }

const REFRESH = [operatorKey('listOperators'), operatorKey('listApprovals')]

/** Lets an operator in. No password is given out: a mail with a link lets them choose one. */
export function NewOperatorDialog({ onClose }: { onClose: () => void }) {
  const text = useText(OPERATORS)
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('read_only')
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () =>
      api.call('createOperator', {
        body: { email: email.trim(), name: name.trim(), role, reason: reason.trim() },
      }),
    done: ({ data }) => ('kind' in data ? text.waits : text.created(email.trim())),
    refresh: REFRESH,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.create}
      isDangerous={false}
      action={text.create}
      isBusy={action.isBusy}
      isReady={[email, name, reason].every((each) => each.trim() !== '')}
      error={isAboutField(action.error, 'email', 'name', 'reason') ? null : action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">
        {text.createAbout} {text.secondAdmin}
      </p>
      <TextField
        label={text.email}
        value={email}
        onValue={setEmail}
        type="email"
        inputMode="email"
        autoComplete="off"
        error={fieldError(action.error, 'email')}
      />
      <TextField
        label={text.name}
        value={name}
        onValue={setName}
        autoComplete="off"
        error={fieldError(action.error, 'name')}
      />
      <RoleField value={role} onValue={setRole} />
      <ReasonField value={reason} onValue={setReason} error={action.error} />
    </ConfirmDialog>
  )
}

/** Changes what an operator may do, or keeps one out. */
export function ChangeOperatorDialog({ operator, onClose }: Props) {
  const text = useText(OPERATORS)
  const [role, setRole] = useState(operator.role)
  const [status, setStatus] = useState(operator.status)
  const [reason, setReason] = useState('')
  const changes = {
    ...(role === operator.role ? {} : { role }),
    ...(status === operator.status ? {} : { status }),
  }
  const action = useAction({
    act: () =>
      api.call('updateOperator', {
        params: { id: operator.id },
        body: { ...changes, reason: reason.trim() },
      }),
    done: ({ data }) => ('kind' in data ? text.waits : text.changed(operator.name)),
    refresh: REFRESH,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.changeTitle(operator.name)}
      isDangerous={status === 'disabled' && operator.status === 'active'}
      action={text.change}
      isBusy={action.isBusy}
      isReady={Object.keys(changes).length > 0 && reason.trim() !== ''}
      error={isAboutField(action.error, 'reason') ? null : action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">
        {text.changeAbout} {Object.keys(changes).length > 0 ? text.secondAdmin : null}
      </p>
      <RoleField value={role} onValue={setRole} />
      <Segment
        label={text.state}
        value={status}
        onValue={setStatus}
        options={[
          { value: 'active', label: text.statuses.active },
          { value: 'disabled', label: text.statuses.disabled },
        ]}
      />
      <ReasonField value={reason} onValue={setReason} error={action.error} />
    </ConfirmDialog>
  )
}

/** Says that an operator is a person of their own, so that they count as a second person. */
export function VouchDialog({ operator, onClose }: Props) {
  const text = useText(OPERATORS)
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () => api.call('vouchForOperator', { params: { id: operator.id }, body: { reason: reason.trim() } }),
    done: () => text.vouched(operator.name),
    refresh: REFRESH,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.vouchTitle(operator.name)}
      isDangerous={false}
      action={text.vouch}
      isBusy={action.isBusy}
      isReady={reason.trim() !== ''}
      error={isAboutField(action.error, 'reason') ? null : action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.vouchAbout}</p>
      <ReasonField value={reason} onValue={setReason} error={action.error} />
    </ConfirmDialog>
  )
}

function RoleField({ value, onValue }: { value: Role; onValue: (role: Role) => void }) {
  const text = useText(OPERATORS)
  const shell = useText(SHELL)
  return (
    <SelectField
      label={text.role}
      hint={text.roleAbout[value]}
      value={value}
      onValue={(next) => onValue(next as Role)}
      options={ROLES.map((each) => ({ value: each, label: shell.roles[each] }))}
    />
  )
}
