import { useState } from 'react'
import type { Operator } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { SHELL } from '../../shell/messages.ts'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { useSignedIn } from '../session.ts'
import { ChangeOperatorDialog, NewOperatorDialog, VouchDialog } from './operator-dialogs.tsx'
import { OPERATORS } from './people-messages.ts'

type Open = 'create' | { readonly act: 'change' | 'vouch'; readonly operator: Operator } | undefined

/** Operators: who runs the service, who let them in, and who vouches for them. */
export function Page() {
  const text = useText(OPERATORS)
  const pages = useText(CONSOLE)
  const isAdmin = useSignedIn().role === 'admin'
  const reading = useOperator('listOperators', {})
  const [open, setOpen] = useState<Open>(undefined)
  const close = () => setOpen(undefined)
  const columns = useColumns(reading.data?.data ?? [], setOpen)
  return (
    <>
      <PageHead
        title={pages.people}
        about={text.about}
        actions={
          isAdmin ? (
            <Button look="primary" icon="plus" onClick={() => setOpen('create')}>
              {text.create}
            </Button>
          ) : undefined
        }
      />
      <Panel title={text.operators} about={ZONE_NAME} count={reading.data?.data.length} isFlush>
        <Loaded reading={reading} bones={4}>
          {({ data }) => (
            <Table caption={text.operators} columns={columns} rows={data} rowKey={(each) => each.id} />
          )}
        </Loaded>
      </Panel>
      {open === 'create' ? <NewOperatorDialog onClose={close} /> : null}
      {typeof open === 'object' && open.act === 'change' ? (
        <ChangeOperatorDialog operator={open.operator} onClose={close} />
      ) : null}
      {typeof open === 'object' && open.act === 'vouch' ? (
        <VouchDialog operator={open.operator} onClose={close} />
      ) : null}
    </>
  )
}

function useColumns(operators: readonly Operator[], onOpen: (open: Open) => void): Column<Operator>[] {
  const text = useText(OPERATORS)
  const shell = useText(SHELL)
  const { id: self } = useSignedIn()
  const nameOf = (id: string) => operators.find((each) => each.id === id)?.name ?? text.somebody
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 120,
      cell: ({ status }) => <State tone={status === 'active' ? 'ok' : 'off'}>{text.statuses[status]}</State>,
    },
    {
      key: 'name',
      head: text.name,
      folded: 'name',
      cell: (each) => (
        <>
          <b className="strong">{each.name}</b>{' '}
          {each.id === self ? <span className="tag">{text.you}</span> : null}{' '}
          {each.demo ? <span className="tag">{text.demo}</span> : null}
        </>
      ),
    },
    { key: 'email', head: text.email, folded: 'detail', cell: (each) => each.email },
    { key: 'role', head: text.role, cell: (each) => shell.roles[each.role] },
    {
      key: 'let-in',
      head: text.letInBy,
      rank: 2,
      cell: (each) => (each.let_in_by === null ? text.independent : nameOf(each.let_in_by)),
    },
    { key: 'created', head: text.since, folded: 'time', cell: (each) => whenText(each.created_at) },
    {
      key: 'act',
      head: <span className="hide">{text.change}</span>,
      isRight: true,
      folded: 'amount',
      cell: (each) => (each.id === self ? null : <RowActions operator={each} self={self} onOpen={onOpen} />),
    },
  ]
}

type RowActionsProps = {
  readonly operator: Operator
  readonly self: string
  readonly onOpen: (open: Open) => void
}

function RowActions({ operator, self, onOpen }: RowActionsProps) {
  const text = useText(OPERATORS)
  // Nobody vouches for a person whom they let in themselves.
  const mayVouch = operator.let_in_by !== null && operator.let_in_by !== self && operator.status === 'active'
  return (
    <span className="row push">
      {mayVouch ? (
        <Button
          size="sm"
          aria-label={`${text.vouch}: ${operator.name}`}
          onClick={() => onOpen({ act: 'vouch', operator })}
        >
          {text.vouch}
        </Button>
      ) : null}
      <Button
        size="sm"
        aria-label={`${text.change}: ${operator.name}`}
        onClick={() => onOpen({ act: 'change', operator })}
      >
        {text.change}
      </Button>
    </span>
  )
}
