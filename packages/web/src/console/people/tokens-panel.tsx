import { useState } from 'react'
import type { OperatorTokens } from '../../api/operator.generated.ts'
import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { SHELL } from '../../shell/messages.ts'
import { dayText, whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, SecretDialog } from '../../ui/dialog.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { TOKENS } from './tokens-messages.ts'

type Token = OperatorTokens['data'][number]
type Open = 'create' | { readonly secret: string } | { readonly revoke: Token } | undefined

/** Tokens of an operator's own scripts. */
export function TokensPanel() {
  const text = useText(TOKENS)
  const reading = useOperator('listOperatorTokens', {})
  const [open, setOpen] = useState<Open>(undefined)
  const close = () => setOpen(undefined)
  const columns = useColumns((token) => setOpen({ revoke: token }))
  return (
    <Panel
      title={text.title}
      about={ZONE_NAME}
      isFlush
      actions={
        <Button size="sm" icon="plus" onClick={() => setOpen('create')}>
          {text.create}
        </Button>
      }
    >
      <Loaded reading={reading} bones={2}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty icon="developers" title={text.none} about={text.about} />
          ) : (
            <Table caption={text.title} columns={columns} rows={data} rowKey={(each) => each.id} />
          )
        }
      </Loaded>
      {open === 'create' ? <NewTokenDialog onClose={close} onMade={(secret) => setOpen({ secret })} /> : null}
      {typeof open === 'object' && 'secret' in open ? (
        <SecretDialog
          title={text.made}
          about={text.madeAbout}
          secrets={[{ label: text.token, value: open.secret }]}
          onClose={close}
        />
      ) : null}
      {typeof open === 'object' && 'revoke' in open ? (
        <RevokeDialog token={open.revoke} onClose={close} />
      ) : null}
    </Panel>
  )
}

function stateOf({ revoked_at: revoked, expires_at: expires }: Token): 'live' | 'revoked' | 'expired' {
  if (revoked !== null) return 'revoked'
  return Date.parse(expires) <= Date.now() ? 'expired' : 'live'
}

function useColumns(onRevoke: (token: Token) => void): Column<Token>[] {
  const text = useText(TOKENS)
  const shell = useText(SHELL)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      cell: (each) => (
        <State tone={stateOf(each) === 'live' ? 'ok' : 'off'}>{text.states[stateOf(each)]}</State>
      ),
    },
    { key: 'label', head: text.label, folded: 'name', cell: (each) => each.label },
    { key: 'role', head: text.role, folded: 'detail', cell: (each) => shell.roles[each.role] },
    { key: 'created', head: text.created, rank: 2, cell: (each) => whenText(each.created_at) },
    {
      key: 'used',
      head: text.lastUsed,
      cell: (each) => (each.last_used_at === null ? text.never : whenText(each.last_used_at)),
    },
    { key: 'expires', head: text.expires, folded: 'time', cell: (each) => dayText(each.expires_at) },
    {
      key: 'act',
      head: <span className="hide">{text.revoke}</span>,
      isRight: true,
      folded: 'amount',
      cell: (each) =>
        stateOf(each) !== 'live' ? null : (
          <Button
            size="sm"
            look="danger-quiet"
            aria-label={`${text.revoke}: ${each.label}`}
            onClick={() => onRevoke(each)}
          >
            {text.revoke}
          </Button>
        ),
    },
  ]
}

function RevokeDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const text = useText(TOKENS)
  const action = useAction({
    act: () => operator.call('deleteOperatorToken', { params: { id: token.id } }),
    done: () => text.revoked(token.label),
    refresh: [operatorKey('listOperatorTokens')],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.revokeTitle(token.label)}
      action={text.revoke}
      keep={text.keep}
      isBusy={action.isBusy}
      error={action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.revokeAbout}</p>
    </ConfirmDialog>
  )
}
