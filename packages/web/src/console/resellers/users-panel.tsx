import { useState } from 'react'
import type { Reseller, ResellerUser } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { createResellerUser, updateResellerUser } from '../../api/operator-acts.generated.ts'
import { dayText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import type { FieldWords } from '../../ui/act-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { useMay } from '../roles.ts'
import { RESELLER } from './messages.ts'
import { RESELLER_PEOPLE } from './people-messages.ts'

/** People of a reseller who can sign in. */
export function UsersPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(RESELLER_PEOPLE)
  const names = useText(RESELLER)
  const may = useMay()
  const { account } = reseller
  const reading = useOperator('listResellerUsers', { params: { account } })
  const [changed, setChanged] = useState<ResellerUser | 'new' | undefined>(undefined)
  const columns = useColumns(setChanged)
  const close = () => setChanged(undefined)
  return (
    <Panel
      isFlush
      title={names.tabs.users}
      count={reading.data?.data.length}
      actions={
        may('users.write') ? (
          <Button size="sm" icon="plus" onClick={() => setChanged('new')}>
            {text.add}
          </Button>
        ) : undefined
      }
    >
      <Loaded reading={reading} empty={<Empty icon="team" title={text.noUsers} about={text.noUsersAbout} />}>
        {({ data }) => (
          <Table
            caption={text.usersCaption}
            columns={columns}
            rows={data}
            rowKey={({ username }) => username}
          />
        )}
      </Loaded>
      {changed === undefined ? null : changed === 'new' ? (
        <NewUserDialog account={account} onClose={close} />
      ) : (
        <ChangeUserDialog account={account} user={changed} onClose={close} />
      )}
    </Panel>
  )
}

function useColumns(onChange: (user: ResellerUser) => void): readonly Column<ResellerUser>[] {
  const text = useText(RESELLER_PEOPLE)
  const may = useMay()
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 130,
      cell: ({ status }) => <State tone={status === 'active' ? 'ok' : 'off'}>{text.states[status]}</State>,
    },
    {
      key: 'username',
      head: text.username,
      folded: 'name',
      cell: ({ username }) => <span className="mono">{username}</span>,
    },
    { key: 'email', head: text.email, folded: 'detail', className: 'cut', cell: ({ email }) => email },
    { key: 'role', head: text.role, folded: 'time', cell: ({ role }) => text.roles[role] },
    {
      key: 'created',
      head: text.created(ZONE_NAME),
      className: 'sub nowrap',
      cell: ({ created_at: at }) => dayText(at),
    },
    ...(may('users.write')
      ? [
          {
            ...actionHead(text.change),
            cell: (user: ResellerUser) => (
              <Button size="sm" onClick={() => onChange(user)} aria-label={text.changeTitle(user.username)}>
                {text.change}
              </Button>
            ),
          },
        ]
      : []),
  ]
}

const CHANGED = ['listResellerUsers', 'listApprovals'] as const

function useRoleWords(): FieldWords {
  const text = useText(RESELLER_PEOPLE)
  return {
    label: text.role,
    look: 'cards',
    options: (['admin', 'manager', 'cashier', 'accountant', 'viewer'] as const).map((role) => ({
      value: role,
      label: text.roles[role],
      about: text.roleAbout[role],
    })),
  }
}

function NewUserDialog({ account, onClose }: { account: string; onClose: () => void }) {
  const text = useText(RESELLER_PEOPLE)
  const role = useRoleWords()
  return (
    <ConsoleAct
      act={createResellerUser}
      input={{ params: { account } }}
      title={text.addTitle}
      action={text.add}
      done={(_, { username }) => text.added(String(username).trim())}
      asked={text.waits}
      refresh={CHANGED}
      onClose={onClose}
      from={{ role: 'admin' }}
      fields={{
        username: { label: text.username },
        email: { label: text.email, hint: text.emailHint, type: 'email' },
        role,
      }}
    >
      <p className="mid">{text.secondPerson}</p>
    </ConsoleAct>
  )
}

type ChangeUserProps = { account: string; user: ResellerUser; onClose: () => void }

/** Changes a user's role, or keeps the user out. */
function ChangeUserDialog({ account, user, onClose }: ChangeUserProps) {
  const text = useText(RESELLER_PEOPLE)
  const roleWords = useRoleWords()
  return (
    <ConsoleAct
      isChange
      act={updateResellerUser}
      input={{ params: { account, username: user.username } }}
      title={text.changeTitle(user.username)}
      action={text.change}
      isDangerous={({ status }) => status === 'disabled' && user.status === 'active'}
      done={text.changed(user.username)}
      asked={text.waits}
      refresh={CHANGED}
      onClose={onClose}
      from={{ role: user.role, status: user.status }}
      fields={{
        role: roleWords,
        status: {
          label: text.state,
          look: 'cards',
          options: [
            { value: 'active', label: text.states.active, about: text.activeAbout },
            { value: 'disabled', label: text.states.disabled, about: text.keptOutAbout },
          ],
        },
      }}
    >
      {({ role, status }) =>
        (role === 'admin' && user.role !== 'admin') || (status === 'active' && user.status !== 'active') ? (
          <p className="mid">{text.secondPerson}</p>
        ) : null
      }
    </ConsoleAct>
  )
}
