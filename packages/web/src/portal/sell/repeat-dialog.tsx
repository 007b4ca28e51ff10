import type { SellQuote } from '../../api/portal.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { SELL } from './messages.ts'

export type RepeatedPayment = NonNullable<SellQuote['warnings'][number]['payment']>

type RepeatDialogProps = {
  readonly payment: RepeatedPayment
  readonly onPay: () => void
  readonly onClose: () => void
}

/** Asks before the same is paid again that was paid a moment ago. */
export function RepeatDialog({ payment, onPay, onClose }: RepeatDialogProps) {
  const text = useText(SELL)
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
