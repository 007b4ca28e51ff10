import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../../api/live.ts'
import type { Reseller } from '../../api/operator.generated.ts'
import { operatorKey, useOperator, useOperatorAhead } from '../../api/operator.ts'
import { updateReseller } from '../../api/operator-acts.generated.ts'
import { Crumbs, PageLink, useFilters, useParam } from '../../shell/navigation.tsx'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { grouped } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Figure } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { DepositRequests } from '../deposits/page.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { ResellerLimits } from '../parts/limits.tsx'
import { POSTING } from '../parts/messages.ts'
import { LoadedPage, Tabs } from '../parts/pages.tsx'
import { PostingDialog } from '../parts/posting-dialog.tsx'
import type { Permission } from '../roles.ts'
import { useMay } from '../roles.ts'
import { StateOf } from '../states.ts'
import { KeysPanel } from './keys-panel.tsx'
import { RESELLER } from './messages.ts'
import { ProductsPanel } from './products-panel.tsx'
import { AccessState, SettingsPanel } from './settings-panel.tsx'
import { StatementsPanel } from './statements-panel.tsx'
import { UsersPanel } from './users-panel.tsx'
import { WALLET } from './wallet-messages.ts'
import { useEntriesInput, WalletPanel } from './wallet-panel.tsx'
import './resellers.css'

/** One reseller: its money, its people and what it may do. */
export function Page() {
  const pages = useText(CONSOLE)
  const account = useParam('account')
  const client = useQueryClient()
  const reading = useOperator('getReseller', { params: { account } })
  useTabAhead(account)
  useLive(['approval'], () => {
    for (const id of ['getWallet', 'listWalletEntries', 'listDepositRequests'] as const) {
      void client.invalidateQueries({ queryKey: operatorKey(id) })
    }
  })
  return (
    <LoadedPage reading={reading} title={pages.resellers}>
      {({ data }) => <ResellerView reseller={data} />}
    </LoadedPage>
  )
}

const TABS = [
  { value: 'wallet', needs: 'money.read', Panel: WalletPanel },
  { value: 'deposits', needs: 'money.read', Panel: DepositsPanel },
  { value: 'statements', needs: 'money.read', Panel: StatementsPanel },
  { value: 'users', needs: 'users.read', Panel: UsersPanel },
  { value: 'keys', needs: 'keys.read', Panel: KeysPanel },
  { value: 'products', needs: 'permissions.read', Panel: ProductsPanel },
  { value: 'limits', needs: 'limits.read', Panel: ResellerLimits },
  { value: 'settings', needs: undefined, Panel: SettingsPanel },
] as const satisfies readonly { value: string; needs: Permission | undefined; Panel: unknown }[]

/** Tabs that the role may see, and the one that is open. */
function useTabs() {
  const may = useMay()
  const [{ tab }] = useFilters()
  const tabs = TABS.filter(({ needs }) => needs === undefined || may(needs))
  return { tabs, open: tabs.find(({ value }) => value === tab) ?? tabs[0] }
}

/** Begins the reads of the open tab and of the figures above it. */
function useTabAhead(account: string): void {
  const may = useMay()
  const open = useTabs().open?.value
  const params = { account }
  useOperatorAhead('getWallet', { params }, may('money.read'))
  useOperatorAhead('listWalletEntries', useEntriesInput(account), open === 'wallet')
  useOperatorAhead('listResellerUsers', { params }, open === 'users')
  useOperatorAhead('listResellerKeys', { params }, open === 'keys')
  useOperatorAhead('listResellerPermissions', { params }, open === 'products')
  useOperatorAhead('getResellerLimits', { params }, open === 'limits')
  useOperatorAhead('listLevels', {}, open === 'settings')
}

function ResellerView({ reseller }: { reseller: Reseller }) {
  const text = useText(RESELLER)
  const { tabs, open } = useTabs()
  return (
    <>
      <Head reseller={reseller} />
      {reseller.status === 'suspended' ? (
        <div className="stack">
          <Note tone="critical">
            <b>{text.suspendedNote}</b> {text.suspendedNoteAbout}
          </Note>
          <span />
        </div>
      ) : null}
      <FactsStrip reseller={reseller} />
      {open === undefined ? null : (
        <>
          <Tabs
            label={text.parts}
            to={`/operator/resellers/${reseller.account}`}
            open={open.value}
            tabs={tabs.map(({ value }) => ({ value, label: text.tabs[value] }))}
          />
          <open.Panel reseller={reseller} />
        </>
      )}
    </>
  )
}

function Head({ reseller }: { reseller: Reseller }) {
  const text = useText(RESELLER)
  const posting = useText(POSTING)
  const pages = useText(CONSOLE)
  const may = useMay()
  const [dialog, setDialog] = useState<'deposit' | 'adjustment' | 'switch' | undefined>(undefined)
  const close = () => setDialog(undefined)
  const { account, name, email, status } = reseller
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/operator/resellers" label={pages.resellers} here={account} />}
        title={
          <span className="row wrap">
            {name} <StateOf isPill kind="reseller" state={status} />
          </span>
        }
        about={text.accountOf(account, email)}
        actions={
          <>
            {may('money.write') ? (
              <>
                <Button icon="wallet" onClick={() => setDialog('deposit')}>
                  {posting.newDeposit}
                </Button>
                <Button icon="edit" onClick={() => setDialog('adjustment')}>
                  {posting.newAdjustment}
                </Button>
              </>
            ) : null}
            {may('resellers.write') ? (
              <Button
                look={status === 'active' ? 'danger-quiet' : 'plain'}
                icon={status === 'active' ? 'pause' : 'refresh'}
                onClick={() => setDialog('switch')}
              >
                {status === 'active' ? text.suspend : text.resume}
              </Button>
            ) : null}
          </>
        }
      />
      {dialog === 'switch' ? <SwitchDialog reseller={reseller} onClose={close} /> : null}
      {dialog === 'deposit' || dialog === 'adjustment' ? (
        <PostingDialog kind={dialog} reseller={{ value: account, label: name }} onClose={close} />
      ) : null}
    </>
  )
}

function SwitchDialog({ reseller, onClose }: { reseller: Reseller; onClose: () => void }) {
  const text = useText(RESELLER)
  const { account, name, status } = reseller
  const isActive = status === 'active'
  return (
    <ConsoleAct
      act={updateReseller}
      input={{ params: { account } }}
      members={{ status: isActive ? 'suspended' : 'active' }}
      title={isActive ? text.suspendTitle(name) : text.resumeTitle(name)}
      action={isActive ? text.suspend : text.resume}
      keep={isActive ? text.keepActive : text.keepSuspended}
      isDangerous={isActive}
      done={isActive ? text.suspended(name) : text.resumed(name)}
      refresh={['getReseller', 'listResellers']}
      onClose={onClose}
    >
      <p className="mid">{isActive ? text.suspendAbout : text.resumeAbout}</p>
    </ConsoleAct>
  )
}

/** Figures of a reseller that stay above every tab. */
function FactsStrip({ reseller }: { reseller: Reseller }) {
  const text = useText(RESELLER)
  const may = useMay()
  const wallet = useOperator(
    'getWallet',
    { params: { account: reseller.account } },
    { isEnabled: may('money.read') },
  ).data?.data
  return (
    <section className="panel flush facts-strip" aria-label={reseller.name}>
      {may('money.read') ? (
        <div>
          <span className="lab">{text.balance}</span>
          {wallet === undefined ? (
            <div className="fig">…</div>
          ) : (
            <Figure amount={wallet.balance} currency="MYR" />
          )}
        </div>
      ) : null}
      {may('money.read') ? (
        <div>
          <span className="lab">{text.entries}</span>
          <b>{wallet === undefined ? '…' : grouped(wallet.entry_count)}</b>
          <small className="sub small">
            {text.lastEntry}{' '}
            {wallet === undefined || wallet.last_entry_at === null
              ? text.noEntry
              : `${whenText(wallet.last_entry_at)} ${ZONE_NAME}`}
          </small>
        </div>
      ) : null}
      <div>
        <span className="lab">{text.level}</span>
        <PageLink className="link mono" to={`/operator/levels/${encodeURIComponent(reseller.price_level)}`}>
          {reseller.price_level}
        </PageLink>
      </div>
      <div>
        <span className="lab">{text.access}</span>
        <AccessState access={reseller.access} />
      </div>
    </section>
  )
}

/** Transfers that this reseller reported. */
function DepositsPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(WALLET)
  return (
    <Panel isFlush title={text.deposits}>
      <DepositRequests account={reseller.account} />
    </Panel>
  )
}
