import { useState } from 'react'
import type { Operator } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { createOperator, updateOperator, vouchForOperator } from '../../api/operator-acts.generated.ts'
import { SHELL } from '../../shell/messages.ts'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import type { FieldWords, Typed } from '../../ui/act-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { ROLES } from '../roles.ts'
import { useSignedIn } from '../session.ts'
import { OPERATORS } from './messages.ts'

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
      ...actionHead(text.change),
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

type Props = { readonly operator: Operator; readonly onClose: () => void }

const CHANGED = ['listOperators', 'listApprovals'] as const

function useRoleWords(): (role: Typed | undefined) => FieldWords {
  const text = useText(OPERATORS)
  const shell = useText(SHELL)
  const options = ROLES.map((each) => ({ value: each, label: shell.roles[each] }))
  return (role) => {
    const chosen = ROLES.find((each) => each === role)
    return { label: text.role, hint: chosen === undefined ? undefined : text.roleAbout[chosen], options }
  }
}

/** Lets an operator in. No password is given out: a mail with a link lets them choose one. */
function NewOperatorDialog({ onClose }: { onClose: () => void }) {
  const text = useText(OPERATORS)
  const roleWords = useRoleWords()
  return (
    <ConsoleAct
      act={createOperator}
      title={text.create}
      action={text.create}
      done={(_, { email }) => text.created(String(email).trim())}
      asked={text.waits}
      refresh={CHANGED}
      onClose={onClose}
      from={{ role: 'read_only' }}
      fields={({ role }) => ({
        email: { label: text.email, type: 'email', inputMode: 'email' },
        name: { label: text.name },
        role: roleWords(role),
      })}
    >
      <p className="mid">
        {text.createAbout} {text.secondAdmin}
      </p>
    </ConsoleAct>
  )
}

/** Changes what an operator may do, or keeps one out. */
function ChangeOperatorDialog({ operator, onClose }: Props) {
  const text = useText(OPERATORS)
  const roleWords = useRoleWords()
  return (
    <ConsoleAct
      isChange
      act={updateOperator}
      input={{ params: { id: operator.id } }}
      title={text.changeTitle(operator.name)}
      action={text.change}
      isDangerous={({ status }) => status === 'disabled' && operator.status === 'active'}
      done={text.changed(operator.name)}
      asked={text.waits}
      refresh={CHANGED}
      onClose={onClose}
      from={operator}
      fields={({ role }) => ({
        role: roleWords(role),
        status: {
          label: text.state,
          look: 'segment',
          options: (['active', 'disabled'] as const).map((value) => ({ value, label: text.statuses[value] })),
        },
      })}
    >
      {({ role, status }) => (
        <p className="mid">
          {text.changeAbout} {role === operator.role && status === operator.status ? null : text.secondAdmin}
        </p>
      )}
    </ConsoleAct>
  )
}

/** Says that an operator is a person of their own, so that they count as a second person. */
function VouchDialog({ operator, onClose }: Props) {
  const text = useText(OPERATORS)
  return (
    <ConsoleAct
      act={vouchForOperator}
      input={{ params: { id: operator.id } }}
      title={text.vouchTitle(operator.name)}
      action={text.vouch}
      done={text.vouched(operator.name)}
      refresh={CHANGED}
      onClose={onClose}
    >
      <p className="mid">{text.vouchAbout}</p>
    </ConsoleAct>
  )
}
