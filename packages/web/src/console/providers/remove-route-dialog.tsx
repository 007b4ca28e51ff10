import { useState } from 'react'
import type { ChangeThatWaitsForApproval, Route } from '../../api/operator.generated.ts'
import { operator } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { UI } from '../../ui/messages.ts'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { isWaiting, WaitingNote } from '../catalog/comparison.tsx'
import { ReasonField } from '../parts/reason-dialog.tsx'
import { PROVIDERS } from './messages.ts'
import { STALE } from './route-dialog.tsx'

export type RemoveRouteDialogProps = {
  readonly route: Route
  /** False: nobody delivers the product without this route. */
  readonly hasTaker: boolean
  readonly onClose: () => void
}

/** Removes a route, after saying whether anybody else delivers. */
export function RemoveRouteDialog({ route, hasTaker, onClose }: RemoveRouteDialogProps) {
  const text = useText(PROVIDERS)
  const ui = useText(UI)
  const [reason, setReason] = useState('')
  const [toAny, setToAny] = useState(false)
  const [waiting, setWaiting] = useState<ChangeThatWaitsForApproval | undefined>(undefined)
  const action = useAction({
    act: () =>
      operator.call('removeRoute', {
        params: { product: route.product, provider: route.provider },
        body: { ...(toAny ? { to_any: true } : {}), reason: reason.trim() },
      }),
    done: (answer) => (isWaiting(answer) ? undefined : text.removed),
    refresh: STALE,
    onDone: (answer) => (isWaiting(answer) ? setWaiting(answer) : onClose()),
  })
  if (waiting !== undefined) {
    return (
      <Dialog
        title={text.removeTitle(route.product)}
        onClose={onClose}
        footer={<Button onClick={onClose}>{ui.close}</Button>}
      >
        <WaitingNote waiting={waiting} />
      </Dialog>
    )
  }
  return (
    <ConfirmDialog
      title={text.removeTitle(route.product)}
      action={text.remove}
      keep={text.keep}
      isBusy={action.isBusy}
      error={action.error}
      isReady={reason.trim() !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      {hasTaker ? (
        <p className="mid">{text.removeAbout}</p>
      ) : (
        <Note tone="critical">{text.removeNobody}</Note>
      )}
      {hasTaker || route.product === '*' ? null : (
        <Checkbox label={text.toAny} isOn={toAny} onToggle={setToAny} />
      )}
      <ReasonField value={reason} onValue={setReason} />
    </ConfirmDialog>
  )
}
