import { useState } from 'react'
import type { ChangeThatWaitsForApproval, Route } from '../../api/operator.generated.ts'
import { removeRoute } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Note } from '../../ui/state.tsx'
import { isWaiting, WaitingDialog } from '../catalog/comparison.tsx'
import { ConsoleAct } from '../parts/act.tsx'
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
  const [waiting, setWaiting] = useState<ChangeThatWaitsForApproval | undefined>(undefined)
  const title = text.removeTitle(route.product)
  if (waiting !== undefined) return <WaitingDialog title={title} waiting={waiting} onClose={onClose} />
  return (
    <ConsoleAct
      isDangerous
      act={removeRoute}
      input={{ params: { product: route.product, provider: route.provider } }}
      title={title}
      action={text.remove}
      keep={text.keep}
      done={text.removed}
      refresh={STALE}
      onDone={(answer) => (isWaiting(answer) ? setWaiting(answer) : onClose())}
      onClose={onClose}
      fields={{ to_any: hasTaker || route.product === '*' ? undefined : { label: text.toAny } }}
    >
      {hasTaker ? (
        <p className="mid">{text.removeAbout}</p>
      ) : (
        <Note tone="critical">{text.removeNobody}</Note>
      )}
    </ConsoleAct>
  )
}
