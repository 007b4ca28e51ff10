import { useState } from 'react'
import type { AllowedNetwork } from '../../api/portal.generated.ts'
import {
  portalAllowNetworks,
  portalChangeSettings,
  portalDisallowNetwork,
} from '../../api/portal-acts.generated.ts'
import { useText } from '../../text/language.ts'
import type { Typed } from '../../ui/act-field.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Note } from '../../ui/state.tsx'
import { PortalAct } from '../act.tsx'
import { passwordWords } from './key-dialogs.tsx'
import { ACCESS } from './messages.ts'
import { covers } from './networks.ts'

const CHANGED = ['portalListNetworks', 'portalGetChecklist'] as const

export type AllowDialogProps = {
  readonly entries: readonly AllowedNetwork[]
  /** Address from which the reader calls now. */
  readonly address: string
  readonly onClose: () => void
}

/** Adds entries; the first ones shut every other address out, perhaps the reader's own. */
export function AllowDialog({ entries, address, onClose }: AllowDialogProps) {
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

export type RemoveDialogProps = {
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
export function RestrictionDialog({ isOn, onClose }: { isOn: boolean; onClose: () => void }) {
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
