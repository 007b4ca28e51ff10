import { useState } from 'react'
import type { AccountSettings, AllowedNetwork } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import {
  portalAllowNetworks,
  portalChangeSettings,
  portalDisallowNetwork,
} from '../../api/portal-acts.generated.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import type { Typed } from '../../ui/act-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Switch } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Note, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { PortalAct } from '../act.tsx'
import { useMay } from '../session.ts'
import { passwordWords } from './key-dialogs.tsx'
import { OwnLimitsPanel } from './limits-panel.tsx'
import { ACCESS } from './messages.ts'
import { covers } from './networks.ts'
import { DevelopersHead } from './tabs.tsx'

type Open =
  | { readonly what: 'add' | 'restriction' | 'repeats' }
  | { readonly what: 'remove'; readonly network: AllowedNetwork }

/** From where the account may be used, and what may pay. */
export function Page() {
  const text = useText(ACCESS)
  const mayChange = useMay('developers.write')
  const networks = usePortal('portalListNetworks', {})
  const settings = usePortal('portalGetSettings', {})
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const close = () => setOpen(undefined)
  const address = settings.data?.data.your_address ?? ''
  const entries = networks.data?.data ?? []
  return (
    <>
      <DevelopersHead about={text.about} />
      {mayChange ? null : <Note tone="info">{text.viewer}</Note>}
      <div className="grid">
        <Panel
          isFlush
          title={text.allowlist}
          count={networks.data?.data.length}
          actions={
            mayChange ? (
              <Button icon="plus" onClick={() => setOpen({ what: 'add' })}>
                {text.add}
              </Button>
            ) : undefined
          }
        >
          <p className="dev-about">{text.allowlistAbout}</p>
          <Loaded reading={networks}>
            {({ data }) => (
              <Networks
                networks={data}
                onRemove={mayChange ? (network) => setOpen({ what: 'remove', network }) : undefined}
              />
            )}
          </Loaded>
          <div className="foot-row">
            <span>
              {text.yours} <span className="mono">{address}</span>
            </span>
          </div>
        </Panel>
        <Panel title={text.restriction}>
          <Loaded reading={settings} bones={1}>
            {({ data }) => (
              <Restriction
                settings={data}
                isChangeable={mayChange}
                onToggle={() => setOpen({ what: 'restriction' })}
              />
            )}
          </Loaded>
        </Panel>
        <Panel
          title={text.repeats}
          actions={
            mayChange ? (
              <Button onClick={() => setOpen({ what: 'repeats' })}>{text.change}</Button>
            ) : undefined
          }
        >
          <Loaded reading={settings} bones={1}>
            {({ data }) => (
              <p>
                {data.duplicate_window_seconds === 0
                  ? text.repeatsTaken
                  : text.repeatsRefused(data.duplicate_window_seconds)}
              </p>
            )}
          </Loaded>
        </Panel>
        <OwnLimitsPanel />
      </div>
      {open?.what === 'repeats' && settings.data !== undefined ? (
        <RepeatsDialog settings={settings.data.data} onClose={close} />
      ) : null}
      {open?.what === 'add' ? <AllowDialog entries={entries} address={address} onClose={close} /> : null}
      {open?.what === 'remove' ? (
        <RemoveDialog
          network={open.network}
          isLast={entries.length === 1}
          address={address}
          onClose={close}
        />
      ) : null}
      {open?.what === 'restriction' && settings.data !== undefined ? (
        <RestrictionDialog isOn={settings.data.data.topup_requires_api_key} onClose={close} />
      ) : null}
    </>
  )
}

type NetworksProps = {
  readonly networks: readonly AllowedNetwork[]
  readonly onRemove: ((network: AllowedNetwork) => void) | undefined
}

function Networks({ networks, onRemove }: NetworksProps) {
  const text = useText(ACCESS)
  if (networks.length === 0) return <Empty icon="globe" title={text.open} about={text.openAbout} />
  const columns: Column<AllowedNetwork>[] = [
    {
      key: 'network',
      head: text.network,
      folded: 'name',
      cell: ({ network }) => <span className="mono">{network}</span>,
    },
    { key: 'label', head: text.label, folded: 'detail', className: 'cut', cell: ({ label }) => label },
    {
      key: 'added',
      head: text.added,
      folded: 'time',
      className: 'nowrap',
      cell: ({ created_at: at }) => whenText(at),
    },
  ]
  if (onRemove !== undefined) {
    columns.push({
      key: 'actions',
      head: '',
      isRight: true,
      folded: 'amount',
      cell: (each) => (
        <Button
          size="sm"
          look="danger-quiet"
          aria-label={text.removeOf(each.network)}
          onClick={() => onRemove(each)}
        >
          {text.remove}
        </Button>
      ),
    })
  }
  return (
    <Table caption={text.allowlist} columns={columns} rows={networks} rowKey={({ network }) => network} />
  )
}

type RestrictionProps = {
  readonly settings: AccountSettings
  readonly isChangeable: boolean
  readonly onToggle: () => void
}

function Restriction({ settings, isChangeable, onToggle }: RestrictionProps) {
  const text = useText(ACCESS)
  const isOn = settings.topup_requires_api_key
  return (
    <div className="dev-setting">
      <div>
        <State tone={isOn ? 'ok' : 'off'}>{isOn ? text.on : text.off}</State>
        <p>{text.restrictionAbout}</p>
      </div>
      <Switch label={text.restriction} isOn={isOn} onToggle={onToggle} isDisabled={!isChangeable} />
    </div>
  )
}

const CHANGED = ['portalListNetworks', 'portalGetChecklist'] as const

type AllowDialogProps = {
  readonly entries: readonly AllowedNetwork[]
  /** Address from which the reader calls now. */
  readonly address: string
  readonly onClose: () => void
}

/** Adds entries; the first ones shut every other address out, perhaps the reader's own. */
function AllowDialog({ entries, address, onClose }: AllowDialogProps) {
  const text = useText(ACCESS)
  const [hasOwn, setOwn] = useState(false)
  const networksOf = (typed: Typed | undefined) => {
    const all = String(typed ?? '')
      .split(/[,;\s]+/)
      .filter((each) => each !== '')
    return hasOwn && !all.includes(address) ? [...all, address] : all
  }
  const shutsOut = (typed: Typed | undefined) =>
    entries.length === 0 && address !== '' && !networksOf(typed).some((each) => covers(each, address))
  return (
    <PortalAct
      act={portalAllowNetworks}
      title={text.addTitle}
      isDangerous={({ networks }) => shutsOut(networks)}
      action={text.addDo}
      done={text.allowed}
      refresh={CHANGED}
      onClose={onClose}
      isReady={({ networks }) => networksOf(networks).length > 0}
      members={({ networks }) => ({ networks: networksOf(networks) })}
      fields={({ networks }) => ({
        networks: {
          label: text.networks,
          hint: text.networksHint,
          rows: 3,
          isNeeded: false,
          below:
            address === '' ? null : (
              <Checkbox label={text.addYours(address)} isOn={hasOwn} onToggle={setOwn} />
            ),
        },
        label: {
          label: text.label,
          hint: text.labelHint,
          below:
            entries.length > 0 ? null : (
              <Note tone="warning">
                {shutsOut(networks) ? <b>{text.shutOut(address)}</b> : null} {text.programsStop}
              </Note>
            ),
        },
        password: passwordWords(text.password),
      })}
    />
  )
}

type RemoveDialogProps = {
  readonly network: AllowedNetwork
  readonly isLast: boolean
  readonly address: string
  readonly onClose: () => void
}

export function RemoveDialog({ network, isLast, address, onClose }: RemoveDialogProps) {
  const text = useText(ACCESS)
  return (
    <PortalAct
      act={portalDisallowNetwork}
      input={{ query: { network: network.network } }}
      title={text.removeTitle(network.network)}
      keep={text.keep}
      action={text.remove}
      done={text.removed(network.network)}
      refresh={CHANGED}
      onClose={onClose}
      fields={{ password: passwordWords(text.password) }}
    >
      <p className="mid">{isLast ? text.removeLast : text.removeAbout}</p>
      {!isLast && covers(network.network, address) ? (
        <Note tone="warning">{text.removeYours(address)}</Note>
      ) : null}
    </PortalAct>
  )
}

/** Lets only API keys pay, or members and tokens again. */
function RestrictionDialog({ isOn, onClose }: { isOn: boolean; onClose: () => void }) {
  const text = useText(ACCESS)
  return (
    <PortalAct
      act={portalChangeSettings}
      members={{ topup_requires_api_key: !isOn }}
      title={isOn ? text.freeTitle : text.restrictTitle}
      isDangerous={false}
      action={isOn ? text.freeDo : text.restrictDo}
      done={isOn ? text.freed : text.restricted}
      refresh={['portalGetSettings']}
      onClose={onClose}
    >
      <p className="mid">{isOn ? text.freeAbout : text.restrictionAbout}</p>
    </PortalAct>
  )
}

/** Says how long the same payment again is refused. */
function RepeatsDialog({ settings, onClose }: { settings: AccountSettings; onClose: () => void }) {
  const text = useText(ACCESS)
  return (
    <PortalAct
      isChange
      act={portalChangeSettings}
      title={text.repeats}
      isDangerous={false}
      action={text.change}
      done={text.repeatsDone}
      refresh={['portalGetSettings']}
      onClose={onClose}
      from={{ duplicate_window_seconds: settings.duplicate_window_seconds }}
      fields={{ duplicate_window_seconds: { label: text.window } }}
    >
      <p className="mid">{text.repeatsAbout}</p>
    </PortalAct>
  )
}
