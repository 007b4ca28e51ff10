import { useOperator } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Note } from '../../ui/state.tsx'
import { Hands } from '../hands.tsx'
import { useMay } from '../roles.ts'
import { PAYMENT } from './payment-messages.ts'

export type ResolveLimit = { readonly isNeeded: boolean; readonly limit: string }

/**
 * Tells whether a resolution of this cost needs a second person. undefined: the role may not read the limit, and the
 * service's answer says it.
 */
export function useResolveLimit(cost: string): ResolveLimit | undefined {
  const may = useMay()
  const { data } = useOperator('getSettings', {}, { isEnabled: may('settings.read') })
  const limit = data?.data.resolve_alone_max
  if (limit === undefined) return undefined
  return { isNeeded: Number(cost) > Number(limit), limit: moneyText(`${limit}.00`, 'MYR') }
}

/** Says who acts, before the click. */
export function SecondPerson({ needsSecond }: { needsSecond: ResolveLimit | undefined }) {
  const text = useText(PAYMENT)
  if (needsSecond === undefined) return <Note tone="info">{text.perhapsSecond}</Note>
  if (!needsSecond.isNeeded) return <Note tone="info">{text.alone}</Note>
  return (
    <>
      <Note tone="back">
        <b>{text.secondPerson}</b> {text.secondPersonAbout(needsSecond.limit)}
      </Note>
      <Hands label={text.steps} now={1} steps={[text.stepYou, text.stepOther, text.stepEnd]} />
    </>
  )
}
