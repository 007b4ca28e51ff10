import type { ResellerPaymentDetails } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Note } from '../../ui/state.tsx'
import { Hands } from '../hands.tsx'
import { PAYMENT } from './payment-messages.ts'

const ringgit = (amount: string) => moneyText(amount, 'MYR')

/** Says who acts, before the click. */
export function SecondPerson({ payment }: { payment: ResellerPaymentDetails }) {
  const text = useText(PAYMENT)
  if (!payment.needs_second_person) return <Note tone="info">{text.alone}</Note>
  return (
    <>
      <Note tone="back">
        <b>{text.secondPerson}</b>{' '}
        {text.secondPersonAbout(
          ringgit(payment.resolve_alone_max),
          ringgit(payment.resolve_alone_day_max),
          ringgit(payment.resolve_alone_week_max),
        )}
      </Note>
      <Hands label={text.steps} now={1} steps={[text.stepYou, text.stepOther, text.stepEnd]} />
    </>
  )
}
