import type { SellQuote } from '../../api/portal.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { BASKET } from './basket/messages.ts'
import { SELL } from './messages.ts'

export type RepeatedPayment = NonNullable<SellQuote['warnings'][number]['payment']>

type RepeatDialogProps = {
  /** Earlier payment; undefined: the same is in the basket, and is not paid yet. */
  readonly payment: RepeatedPayment | undefined
  readonly onPay: () => void
  readonly onClose: () => void
}

/** Asks before the same is paid again that was paid a moment ago. */
export function RepeatDialog({ payment, onPay, onClose }: RepeatDialogProps) {
  const text = useText(SELL)
  const basket = useText(BASKET)
  if (payment === undefined) {
    return (
      <ConfirmDialog
        title={basket.sameTitle}
        action={basket.addAnyway}
        keep={basket.keepOne}
        isBusy={false}
        error={null}
        onClose={onClose}
        onConfirm={onPay}
      >
        <p className="mid">{basket.sameAbout}</p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      title={text.repeatTitle}
      action={text.payAnyway}
      keep={text.keepOne}
      isBusy={false}
      error={null}
      onClose={onClose}
      onConfirm={onPay}
    >
      <p className="mid">
        {text.repeatAbout(countText(payment.seconds))}{' '}
        <PageLink className="link mono small" to={`/portal/payments/${payment.id}`}>
          {payment.refid}
        </PageLink>
      </p>
    </ConfirmDialog>
  )
}
