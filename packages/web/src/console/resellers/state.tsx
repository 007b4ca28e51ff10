import type { Reseller } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import { Pill, State } from '../../ui/state.tsx'
import { RESELLERS } from './messages.ts'

export function ResellerState({ status }: Pick<Reseller, 'status'>) {
  const text = useText(RESELLERS)
  return <State tone={status === 'active' ? 'ok' : 'bad'}>{text.statuses[status]}</State>
}

export function ResellerPill({ status }: Pick<Reseller, 'status'>) {
  const text = useText(RESELLERS)
  return <Pill tone={status === 'active' ? 'ok' : 'bad'}>{text.statuses[status]}</Pill>
}

export function AccessState({ access }: Pick<Reseller, 'access'>) {
  const text = useText(RESELLERS)
  return access === 0 ? <span>{text.accesses[0]}</span> : <State tone="off">{text.accesses[50]}</State>
}
