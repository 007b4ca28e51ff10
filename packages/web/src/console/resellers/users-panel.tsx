import { useState } from 'react'
import type { Reseller, ResellerUser } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { dayText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useMay } from '../roles.ts'
import { PEOPLE } from './people-messages.ts'
import { RESELLER } from './reseller-messages.ts'
import { ChangeUserDialog, NewUserDialog } from './user-dialogs.tsx'

/** People of a reseller who can sign in. */
export function UsersPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(PEOPLE)
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
  const text = useText(PEOPLE)
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
            key: 'change',
            head: <span className="hide">{text.change}</span>,
            isRight: true,
            folded: 'amount' as const,
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
