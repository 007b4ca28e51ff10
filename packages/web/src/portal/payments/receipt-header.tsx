import { useState } from 'react'
import type { ReceiptHeader } from '../../api/portal.generated.ts'
import { portalPutReceiptHeader } from '../../api/portal-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { Note } from '../../ui/state.tsx'
import { PortalAct } from '../act.tsx'
import { RECEIPT } from './receipt-messages.ts'

/** Larger ones are refused by the service. */
const LOGO_BYTES_MAX = 24 * 1024

/** Changes what stands on every receipt of the shop: its name, address, registration number, footer and logo. */
export function HeaderDialog({ header, onClose }: { header: ReceiptHeader; onClose: () => void }) {
  const text = useText(RECEIPT)
  const { logo: stored, ...texts } = header
  const [logo, setLogo] = useState(stored)
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [isWrong, setWrong] = useState(false)
  const choose = async (file: File) => {
    const read = file.size <= LOGO_BYTES_MAX ? await base64Of(file) : undefined
    setWrong(read === undefined)
    if (read === undefined) return
    setLogo(read)
    setChosen(file.name)
  }
  return (
    <PortalAct
      act={portalPutReceiptHeader}
      fields={{
        name: { label: text.shopName, hint: text.shopNameHint },
        address: { label: text.address },
        registration_number: { label: text.registration },
        footer: { label: text.footer, hint: text.footerHint },
      }}
      from={texts}
      members={{ logo: logo ?? '' }}
      title={text.headerTitle}
      action={text.headerSave}
      isDangerous={false}
      done={text.headerSaved}
      refresh={['portalGetReceiptHeader']}
      onClose={onClose}
    >
      <FileField
        label={text.logo}
        hint={text.logoHint}
        error={isWrong ? text.logoWrong : undefined}
        accept=".png,image/png"
        invitation={logo === null ? text.logoChoose : text.logoIs}
        chosen={chosen}
        onFile={(file) => void choose(file)}
      />
      {logo === null ? null : (
        <Note tone="info">
          <img className="slip-logo" src={`data:image/png;base64,${logo}`} alt={text.logo} />{' '}
          <Button size="sm" onClick={() => setLogo(null)}>
            {text.logoDrop}
          </Button>
        </Note>
      )}
    </PortalAct>
  )
}

const PNG = 'data:image/png;base64,'

function base64Of(file: File): Promise<string | undefined> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onerror = () => resolve(undefined)
    reader.onload = () => {
      const url = String(reader.result)
      resolve(url.startsWith(PNG) ? url.slice(PNG.length) : undefined)
    }
    reader.readAsDataURL(file)
  })
}
