import { useState } from 'react'
import type { OperatorTokens } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { createOperatorToken, deleteOperatorToken } from '../../api/operator-acts.generated.ts'
import { Account } from '../../people/account.tsx'
import { ACCOUNT } from '../../people/account-messages.ts'
import { SHELL } from '../../shell/messages.ts'
import { dayText, whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import type { FieldWords } from '../../ui/act-field.tsx'
import { Button } from '../../ui/button.tsx'
import { SecretDialog } from '../../ui/dialog.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { actionHead, Table } from '../../ui/table.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { ROLES } from '../roles.ts'
import { useSignedIn } from '../session.ts'
import { ACCOUNT_API } from './account-api.ts'
import { TOKENS } from './messages.ts'

export function Page() {
  const text = useText(ACCOUNT)
  const shell = useText(SHELL)
  const { name, email, role } = useSignedIn()
  return (
    <Account
      api={ACCOUNT_API}
      facts={[
        { term: text.name, value: name },
        { term: text.email, value: email },
        { term: text.role, value: shell.roles[role] },
      ]}
    >
      <TokensPanel />
    </Account>
  )
}

type Token = OperatorTokens['data'][number]
type Open = 'create' | { readonly secret: string } | { readonly revoke: Token } | undefined

/** Tokens of an operator's own scripts. */
function TokensPanel() {
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
      <Loaded
        reading={reading}
        bones={2}
        empty={<Empty icon="developers" title={text.none} about={text.about} />}
      >
        {({ data }) => (
          <Table caption={text.title} columns={columns} rows={data} rowKey={(each) => each.id} />
        )}
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
        <ConsoleAct
          isDangerous
          act={deleteOperatorToken}
          input={{ params: { id: open.revoke.id } }}
          title={text.revokeTitle(open.revoke.label)}
          action={text.revoke}
          keep={text.keep}
          done={text.revoked(open.revoke.label)}
          refresh={['listOperatorTokens']}
          onClose={close}
        >
          <p className="mid">{text.revokeAbout}</p>
        </ConsoleAct>
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
      ...actionHead(text.revoke),
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

const DAYS_USUAL = 90

type NewTokenDialogProps = { readonly onClose: () => void; readonly onMade: (secret: string) => void }

/** Makes a token. It can do no more than its maker. */
function NewTokenDialog({ onClose, onMade }: NewTokenDialogProps) {
  const text = useText(TOKENS)
  const shell = useText(SHELL)
  const proof = useProofWords()
  const { role: ownRole } = useSignedIn()
  const offered = ROLES.filter((each) => ownRole === 'admin' || each === ownRole || each === 'read_only')
  return (
    <ConsoleAct
      act={createOperatorToken}
      title={text.create}
      action={text.create}
      refresh={['listOperatorTokens']}
      onDone={({ data }) => onMade(data.token)}
      onClose={onClose}
      from={{ role: 'read_only', expires_in_days: DAYS_USUAL }}
      fields={{
        label: { label: text.label, hint: text.labelHint },
        role: { label: text.role, options: offered.map((value) => ({ value, label: shell.roles[value] })) },
        expires_in_days: { label: text.days, hint: text.daysHint },
        ...proof,
      }}
    >
      <p className="mid">{text.about}</p>
    </ConsoleAct>
  )
}

/** Words of the proof of an operator: the password, and the code of the second factor where there is one. */
function useProofWords() {
  const text = useText(ACCOUNT)
  const { two_factor: asksCode } = useSignedIn()
  const password: FieldWords = { label: text.yourPassword, type: 'password', isNeeded: true }
  const code: FieldWords = { label: text.code, hint: text.codeHint, inputMode: 'numeric', isNeeded: true }
  return asksCode ? { password, code } : { password }
}
