import { useState } from 'react'
import type { ChangeThatWaitsForApproval, GetProviderResponse } from '../../api/operator.generated.ts'
import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { UI } from '../../ui/messages.ts'
import { fieldError } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { isWaiting, WaitingNote } from '../catalog/comparison.tsx'
import { ReasonField } from '../parts/reason-dialog.tsx'
import { PROVIDERS } from './messages.ts'
import { takersOf } from './takeover.ts'

/** Switches a provider off or on, after saying who takes over and who does not. */
export function SwitchDialog({
  provider,
  onClose,
}: {
  provider: GetProviderResponse['data']
  onClose: () => void
}) {
  const text = useText(PROVIDERS)
  const ui = useText(UI)
  const [reason, setReason] = useState('')
  const [acceptsLoss, setAcceptsLoss] = useState(false)
  const [waiting, setWaiting] = useState<ChangeThatWaitsForApproval | undefined>(undefined)
  const isOff = !provider.enabled
  const action = useAction({
    act: () =>
      operator.call('switchProvider', {
        params: { code: provider.code },
        body: { enabled: isOff, ...(acceptsLoss ? { accept_loss: true } : {}), reason: reason.trim() },
      }),
    done: (answer) => (isWaiting(answer) ? undefined : isOff ? text.switchedOn : text.switchedOff),
    refresh: [
      operatorKey('getProvider'),
      operatorKey('listProviders'),
      operatorKey('listMargins'),
      operatorKey('listApprovals'),
    ],
    onDone: (answer) => (isWaiting(answer) ? setWaiting(answer) : onClose()),
  })
  const needsConsent = fieldError(action.error, 'accept_loss') !== undefined
  if (waiting !== undefined) {
    return (
      <Dialog
        title={text.switchOnTitle(provider.name)}
        onClose={onClose}
        footer={<Button onClick={onClose}>{ui.close}</Button>}
      >
        <WaitingNote waiting={waiting} />
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={isOff ? text.switchOnTitle(provider.name) : text.switchOffTitle(provider.name)}
      action={isOff ? text.switchOn : text.switchOff}
      keep={isOff ? text.leaveOff : text.leaveOn}
      isDangerous={!isOff}
      {...(isOff ? {} : { typed: provider.code })}
      isBusy={action.isBusy}
      error={action.error}
      isReady={reason.trim() !== '' && (!needsConsent || acceptsLoss)}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{isOff ? text.switchOnAbout : text.switchOffAbout}</p>
      {isOff ? null : <Takeover code={provider.code} />}
      <ReasonField value={reason} onValue={setReason} />
      {needsConsent || acceptsLoss ? (
        <Checkbox label={text.acceptLoss} isOn={acceptsLoss} onToggle={setAcceptsLoss} />
      ) : null}
    </ConfirmDialog>
  )
}

const NAMED_MAX = 12

function Takeover({ code }: { code: string }) {
  const text = useText(PROVIDERS)
  const { data: routes } = useOperator('listRoutes', {})
  const { data: providers } = useOperator('listProviders', {})
  if (routes === undefined || providers === undefined) return null
  const own = routes.data.filter((route) => route.provider === code && route.enabled)
  const taken = own.map(({ product }) => ({
    product,
    takers: takersOf(product, code, routes.data, providers.data),
  }))
  const orphans = taken.filter(({ takers }) => takers.length === 0)
  const others = taken.filter(({ takers }) => takers.length > 0)
  return (
    <>
      {orphans.length === 0 ? null : (
        <Note tone="critical">
          <b>{text.nobodyElse(orphans.length)}</b>{' '}
          <span className="mono">{listText(orphans.map(({ product }) => product))}</span>. {text.turnedAway}
        </Note>
      )}
      {others.length === 0 ? null : (
        <Note tone="info">
          {text.takenOver}{' '}
          {listText(others.map(({ product, takers }) => text.takenBy(product, takers.join(', '))))}
        </Note>
      )}
    </>
  )
}

function listText(items: readonly string[]): string {
  const shown = items.slice(0, NAMED_MAX).join(', ')
  return items.length > NAMED_MAX ? `${shown} +${items.length - NAMED_MAX}` : shown
}
