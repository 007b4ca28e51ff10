import type { Addressee, PortalSwitchMailRequest } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { SHELL } from '../../shell/messages.ts'
import { useText } from '../../text/language.ts'
import { Switch } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useIsAdmin } from '../session.ts'
import { TEAM } from './messages.ts'

type Kind = PortalSwitchMailRequest['kind']

const KINDS: readonly Kind[] = ['balance.low', 'deposit', 'delivery', 'case']

/** Mails that the registered address always gets. */
const ALWAYS: ReadonlySet<Kind> = new Set(['balance.low', 'case'])

/** Matrix of addressees and kinds of mail. */
export function MailsPanel() {
  const text = useText(TEAM)
  const reading = usePortal('portalListMailPreferences', {})
  const action = useAction<PortalSwitchMailRequest>({
    act: (body) => portal.call('portalSwitchMail', { body }),
    done: (_, { kind, on }) => (on ? text.mailOn(text.mailKinds[kind]) : text.mailOff(text.mailKinds[kind])),
    refresh: [portalKey('portalListMailPreferences')],
  })
  const columns = useColumns(action.isBusy, action.run)
  return (
    <Panel title={text.mails} about={text.mailsAbout} isFlush className="mails">
      <Loaded reading={reading} bones={3}>
        {({ data }) => (
          <Table
            caption={text.mails}
            columns={columns}
            rows={data}
            rowKey={(each) => each.member_id ?? 'registered'}
            isFolding={false}
          />
        )}
      </Loaded>
      <ActionProblem error={action.error} />
    </Panel>
  )
}

function useColumns(
  isBusy: boolean,
  onSwitch: (change: PortalSwitchMailRequest) => void,
): Column<Addressee>[] {
  const text = useText(TEAM)
  const shell = useText(SHELL)
  const isAdmin = useIsAdmin()
  const nameOf = (each: Addressee) => (each.member_id === null ? text.registered : each.name)
  return [
    {
      key: 'who',
      head: text.who,
      cell: (each) => (
        <span className="who2">
          <span>{nameOf(each)}</span>
          <small>
            {each.address === '' ? text.noAddress : each.address}
            {each.role === 'admin' || each.role === 'viewer' ? ` · ${shell.roles[each.role]}` : null}
          </small>
        </span>
      ),
    },
    ...KINDS.map(
      (kind): Column<Addressee> => ({
        key: kind,
        head: text.mailKinds[kind],
        cell: (each) => (
          <Switch
            label={`${text.mailKinds[kind]}: ${nameOf(each)}`}
            isOn={each.mails[kind]}
            isDisabled={!isAdmin || isBusy || (each.member_id === null && ALWAYS.has(kind))}
            onToggle={(on) => onSwitch({ member_id: each.member_id, kind, on })}
          />
        ),
      }),
    ),
  ]
}
