import { useState } from 'react'
import type { PortalPaymentDetails } from '../../api/portal.generated.ts'
import { portalKeepFavourite } from '../../api/portal-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { PortalAct } from '../act.tsx'
import { useMay } from '../session.ts'
import { SELL } from './messages.ts'

/** Keeps the number of a payment as a favourite. A bill has none: its next amount is another one. */
export function KeepNumber({ payment }: { payment: PortalPaymentDetails }) {
  const text = useText(SELL)
  const maySell = useMay('sell')
  const [isOpen, setOpen] = useState(false)
  if (!maySell || payment.biller !== null) return null
  return (
    <>
      <Button icon="plus" onClick={() => setOpen(true)}>
        {text.keepNumber}
      </Button>
      {isOpen ? (
        <PortalAct
          act={portalKeepFavourite}
          fields={{
            name: { label: text.favouriteName },
            amount: { label: text.favouriteAmount, hint: text.favouriteAmountHint, inputMode: 'decimal' },
            is_shared: { label: text.favouriteShared },
          }}
          from={{ amount: payment.amount, is_shared: false }}
          members={{ product: payment.product, number: payment.account }}
          title={text.keepNumber}
          action={text.keepAction}
          done={text.kept}
          refresh={['portalListNumbers']}
          onClose={() => setOpen(false)}
        >
          <p className="mid">{payment.account}</p>
        </PortalAct>
      ) : null}
    </>
  )
}
