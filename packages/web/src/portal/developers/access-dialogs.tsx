import { useState } from 'react'
import type { AllowedNetwork } from '../../api/portal.generated.ts'
import { portal, portalKey } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Checkbox, TextAreaField, TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ACCESS } from './messages.ts'
import { covers } from './networks.ts'
import { PasswordField } from './password-field.tsx'

const REFRESH = [portalKey('portalListNetworks'), portalKey('portalGetChecklist')]
const LABEL_LENGTH_MAX = 100

export type AllowDialogProps = {
  readonly entries: readonly AllowedNetwork[]
  /** Address from which the reader calls now. */
  readonly address: string
  readonly onClose: () => void
}

/** Adds entries; the first ones shut every other address out, perhaps the reader's own. */
export function AllowDialog({ entries, address, onClose }: AllowDialogProps) {
  const text = useText(ACCESS)
  const [networks, setNetworks] = useState('')
  const [hasOwn, setOwn] = useState(false)
  const [label, setLabel] = useState('')
  const [password, setPassword] = useState('')
  const typed = networks.split(/[,;\s]+/).filter((each) => each !== '')
  const all = hasOwn && !typed.includes(address) ? [...typed, address] : typed
  const shutsOut = entries.length === 0 && address !== '' && !all.some((each) => covers(each, address))
  const action = useAction({
    act: () =>
      portal.call('portalAllowNetworks', { body: { password, networks: [...all], label: label.trim() } }),
    done: () => text.allowed,
    refresh: REFRESH,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.addTitle}
      isDangerous={shutsOut}
      action={text.addDo}
      isBusy={action.isBusy}
      error={action.error}
      isReady={all.length > 0 && password !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <TextAreaField
        label={text.networks}
        hint={text.networksHint}
        error={fieldError(action.error, 'networks')}
        value={networks}
        onValue={setNetworks}
        spellCheck={false}
      />
      {address === '' ? null : <Checkbox label={text.addYours(address)} isOn={hasOwn} onToggle={setOwn} />}
      <TextField
        label={text.label}
        hint={text.labelHint}
        value={label}
        onValue={setLabel}
        maxLength={LABEL_LENGTH_MAX}
      />
      {entries.length > 0 ? null : (
        <Note tone="warning">
          {shutsOut ? <b>{text.shutOut(address)}</b> : null} {text.programsStop}
        </Note>
      )}
      <PasswordField label={text.password} value={password} onValue={setPassword} />
    </ConfirmDialog>
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
  const [password, setPassword] = useState('')
  const action = useAction({
    act: () =>
      portal.call('portalDisallowNetwork', { query: { network: network.network }, body: { password } }),
    done: () => text.removed(network.network),
    refresh: REFRESH,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.removeTitle(network.network)}
      keep={text.keep}
      action={text.remove}
      isBusy={action.isBusy}
      error={action.error}
      isReady={password !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{isLast ? text.removeLast : text.removeAbout}</p>
      {!isLast && covers(network.network, address) ? (
        <Note tone="warning">{text.removeYours(address)}</Note>
      ) : null}
      <PasswordField label={text.password} value={password} onValue={setPassword} />
    </ConfirmDialog>
  )
}

/** Lets only API keys pay, or members and tokens again. */
export function RestrictionDialog({ isOn, onClose }: { isOn: boolean; onClose: () => void }) {
  const text = useText(ACCESS)
  const action = useAction({
    act: () => portal.call('portalChangeSettings', { body: { topup_requires_api_key: !isOn } }),
    done: () => (isOn ? text.freed : text.restricted),
    refresh: [portalKey('portalGetSettings')],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={isOn ? text.freeTitle : text.restrictTitle}
      isDangerous={false}
      action={isOn ? text.freeDo : text.restrictDo}
      isBusy={action.isBusy}
      error={action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{isOn ? text.freeAbout : text.restrictionAbout}</p>
    </ConfirmDialog>
  )
}
