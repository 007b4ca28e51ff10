import { useState } from 'react'
import type { ChangeThatWaitsForApproval, GetProviderResponse } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { switchProvider } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { fieldError } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { isWaiting, WaitingDialog } from '../catalog/comparison.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { PROVIDERS } from './messages.ts'
import { takersOf } from './rules.ts'

type SwitchDialogProps = { readonly provider: GetProviderResponse['data']; readonly onClose: () => void }

/** Switches a provider off or on, after saying who takes over and who does not. */
export function SwitchDialog({ provider, onClose }: SwitchDialogProps) {
  const text = useText(PROVIDERS)
  const [waiting, setWaiting] = useState<ChangeThatWaitsForApproval | undefined>(undefined)
  const isOff = !provider.enabled
  const title = isOff ? text.switchOnTitle(provider.name) : text.switchOffTitle(provider.name)
  if (waiting !== undefined) return <WaitingDialog title={title} waiting={waiting} onClose={onClose} />
  return (
    <ConsoleAct
      act={switchProvider}
      input={{ params: { code: provider.code } }}
      members={{ enabled: isOff }}
      title={title}
      action={isOff ? text.switchOn : text.switchOff}
      keep={isOff ? text.leaveOff : text.leaveOn}
      isDangerous={!isOff}
      {...(isOff ? {} : { typed: provider.code })}
      done={isOff ? text.switchedOn : text.switchedOff}
      refresh={['getProvider', 'listProviders', 'listMargins', 'listApprovals']}
      onDone={(answer) => (isWaiting(answer) ? setWaiting(answer) : onClose())}
      onClose={onClose}
      fields={({ accept_loss: accepts }, error) =>
        accepts === true || fieldError(error, 'accept_loss') !== undefined
          ? { accept_loss: { label: text.acceptLoss, isNeeded: true } }
          : {}
      }
    >
      <p className="mid">{isOff ? text.switchOnAbout : text.switchOffAbout}</p>
      {isOff ? null : <Takeover code={provider.code} />}
    </ConsoleAct>
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
