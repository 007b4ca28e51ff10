import { useState } from 'react'
import type { Addressee, PortalSwitchMailRequest } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { portalRemoveThreshold } from '../../api/portal-acts.generated.ts'
import { SHELL } from '../../shell/messages.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Switch, TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PortalAct } from '../act.tsx'
import { isAmount } from '../amounts.ts'
import { AMOUNTS, PORTAL } from '../messages.ts'
import { useMay } from '../session.ts'
import { SharedTillsPanel } from '../shared-tills/tills-panel.tsx'
import { ApprovalsPanel } from './approvals-panel.tsx'
import { MemberLimitsPanel } from './limits-panel.tsx'
import { InvitationsPanel, MembersPanel } from './members-panel.tsx'
import { TEAM } from './messages.ts'
import './team.css'

/** Members of the reseller, and the mails that each of them gets. */
export function Page() {
  const text = useText(TEAM)
  const pages = useText(PORTAL)
  const mayChange = useMay('team.write')
  return (
    <>
      <PageHead title={pages.team} about={text.about} />
      <div className="grid">
        {mayChange ? null : <Note tone="info">{text.readOnly}</Note>}
        {mayChange ? <ApprovalsPanel /> : null}
        <MembersPanel />
        <MemberLimitsPanel />
        <SharedTillsPanel />
        {mayChange ? <InvitationsPanel /> : null}
        <div className="grid team-alerts">
          <MailsPanel />
          <ThresholdsPanel />
        </div>
      </div>
    </>
  )
}

type Kind = PortalSwitchMailRequest['kind']

const KINDS: readonly Kind[] = ['balance.low', 'deposit', 'delivery', 'case', 'schedule']

/** Mails that the registered address always gets. */
const ALWAYS: ReadonlySet<Kind> = new Set(['balance.low', 'case'])

/** Matrix of addressees and kinds of mail. */
function MailsPanel() {
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
  const roles: Readonly<Record<string, string>> = useText(SHELL).memberRoles
  const mayChange = useMay('team.write')
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
            {each.role === 'registered' ? null : ` · ${roles[each.role]}`}
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
            isDisabled={!mayChange || isBusy || (each.member_id === null && ALWAYS.has(kind))}
            onToggle={(on) => onSwitch({ member_id: each.member_id, kind, on })}
          />
        ),
      }),
    ),
  ]
}

/** Balances under which a mail goes out. */
function ThresholdsPanel() {
  const text = useText(TEAM)
  const reading = usePortal('portalListThresholds', {})
  // The shell shows the balance on every page, so that its currency is known already.
  const currency = usePortal('portalGetBalance', {}).data?.data.currency ?? ''
  const mayChange = useMay('team.write')
  const [removing, setRemoving] = useState<string | undefined>(undefined)
  return (
    <Panel title={text.thresholds} isFlush>
      <Loaded reading={reading} bones={2}>
        {({ data }) => (
          <ul className="list">
            {data.length === 0 ? <li className="sub">{text.noThresholds}</li> : null}
            {data.map(({ amount }) => (
              <li key={amount} className="middle">
                <Icon name="bell" />
                <span className="t">
                  {text.below} <Money amount={amount} currency={currency} />
                </span>
                {mayChange ? (
                  <Button
                    size="sm"
                    aria-label={`${text.remove}: ${moneyText(amount, currency)}`}
                    onClick={() => setRemoving(amount)}
                  >
                    {text.remove}
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {mayChange ? <AddThreshold currency={currency} /> : null}
      {removing === undefined ? null : (
        <PortalAct
          act={portalRemoveThreshold}
          input={{ query: { amount: removing } }}
          title={text.removeTitle(moneyText(removing, currency))}
          action={text.remove}
          done={text.thresholdRemoved(moneyText(removing, currency))}
          refresh={['portalListThresholds', 'portalGetOverview']}
          onClose={() => setRemoving(undefined)}
        >
          <p className="mid">{text.removeAbout}</p>
        </PortalAct>
      )}
    </Panel>
  )
}

function AddThreshold({ currency }: { currency: string }) {
  const text = useText(TEAM)
  const amounts = useText(AMOUNTS)
  const [amount, setAmount] = useState('')
  const action = useAction({
    act: () => portal.call('portalAddThreshold', { body: { amount: amount.trim() } }),
    done: () => text.thresholdAdded(currency, amount.trim()),
    refresh: [portalKey('portalListThresholds'), portalKey('portalGetOverview')],
    onDone: () => setAmount(''),
  })
  const isUnreadable = amount.trim() !== '' && !isAmount(amount)
  const amountError = isUnreadable ? amounts.unreadable : fieldError(action.error, 'amount')
  return (
    <>
      <form
        className="threshold-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!action.isBusy && isAmount(amount)) action.run()
        }}
      >
        <TextField
          label={text.addThreshold}
          before={currency}
          value={amount}
          onValue={setAmount}
          inputMode="decimal"
          autoComplete="off"
          placeholder="500.00"
          error={amountError}
        />
        <Button type="submit" isBusy={action.isBusy} disabled={!isAmount(amount)}>
          {text.add}
        </Button>
      </form>
      {amountError === undefined ? <ActionProblem error={action.error} /> : null}
    </>
  )
}
