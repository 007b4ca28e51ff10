import { useState } from 'react'
import type { PortalPaymentDetails } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { UI } from '../../ui/messages.ts'
import { Panel } from '../../ui/panel.tsx'
import { useMay } from '../session.ts'
import { PAYMENT } from './payment-messages.ts'

type Secrets = Pick<PortalPaymentDetails, 'pin' | 'voucher_link'>

/** PIN or link of a payment: hidden until it is asked for, copied without being shown, never in an address. */
export function SecretPanel({ payment }: { payment: Secrets }) {
  const text = useText(PAYMENT)
  const { pin, voucher_link: link } = payment
  if (pin === '' && link === '') return null
  return (
    <Panel title={pin === '' ? text.link : text.pin}>
      <p className="sub small">{text.secretHidden}</p>
      {pin === '' ? null : <SecretLine label={text.pin} value={pin} />}
      {link === '' ? null : <SecretLine label={text.link} value={link} isLink />}
    </Panel>
  )
}

function SecretLine({ label, value, isLink = false }: { label: string; value: string; isLink?: boolean }) {
  const text = useText(PAYMENT)
  const ui = useText(UI)
  const seesPins = useMay('pins.read')
  const [isShown, setShown] = useState(false)
  return (
    <div className="input secret big">
      <output className="mono cut" aria-label={label}>
        {isShown || !seesPins ? value : '••••••••••••'}
      </output>
      {seesPins ? (
        <span className="row push">
          <Button size="sm" icon="eye" onClick={() => setShown(!isShown)}>
            {isShown ? ui.hide : ui.show}
          </Button>
          <CopyButton value={value} />
          {isLink && /^https:\/\//.test(value) ? (
            <a className="btn sm" href={value} target="_blank" rel="noopener noreferrer">
              {text.openLink}
            </a>
          ) : null}
        </span>
      ) : null}
    </div>
  )
}
