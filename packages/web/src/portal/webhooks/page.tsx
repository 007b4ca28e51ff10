import { useState } from 'react'
import type { Endpoint } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { NotFoundPage } from '../../shell/failed-page.tsx'
import { useParam } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { SecretDialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Note } from '../../ui/state.tsx'
import { DevelopersHead } from '../developers/tabs.tsx'
import { useMay } from '../session.ts'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { EndpointCard } from './endpoint-card.tsx'
import {
  ConfigureDialog,
  RemoveDialog,
  RotateSecretDialog,
  SwitchDialog,
  TestDialog,
} from './endpoint-dialogs.tsx'
import { WEBHOOKS } from './messages.ts'
import type { EndpointAction, Stream } from './streams.ts'
import { isStream } from './streams.ts'
import './webhooks.css'

/** Endpoints of all streams, with the deliveries of one: of callbacks where the address names none. */
export function Page() {
  const stream = useParam('stream') || 'callback'
  return isStream(stream) ? <Webhooks stream={stream} /> : <NotFoundPage />
}

type Open =
  | { readonly what: EndpointAction; readonly endpoint: Endpoint }
  | { readonly what: 'secret'; readonly secret: string }

/** Endpoints to which events are sent, how it goes, and what was sent. */
function Webhooks({ stream }: { stream: Stream }) {
  const text = useText(WEBHOOKS)
  const mayChange = useMay('developers.write')
  const reading = usePortal('portalListEndpoints', {})
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const close = () => setOpen(undefined)
  const endpoint = reading.data?.data.find((each) => each.stream === stream)
  return (
    <>
      <DevelopersHead about={text.about} />
      {mayChange ? null : <Note tone="info">{text.viewer}</Note>}
      <Loaded reading={reading} bones={5}>
        {({ data }) => (
          <div className="grid c3 endpoints">
            {data.map((each) => (
              <EndpointCard
                key={each.stream}
                endpoint={each}
                isCurrent={each.stream === stream}
                onAction={mayChange ? (what) => setOpen({ what, endpoint: each }) : undefined}
              />
            ))}
          </div>
        )}
      </Loaded>
      <DeliveriesPanel key={stream} stream={stream} isConfigured={endpoint?.is_configured ?? true} />
      {open === undefined ? null : (
        <OpenDialog open={open} onClose={close} onSecret={(secret) => setOpen({ what: 'secret', secret })} />
      )}
    </>
  )
}

type OpenDialogProps = {
  readonly open: Open
  readonly onClose: () => void
  readonly onSecret: (secret: string) => void
}

function OpenDialog({ open, onClose, onSecret }: OpenDialogProps) {
  const text = useText(WEBHOOKS)
  switch (open.what) {
    case 'secret':
      return (
        <SecretDialog
          title={text.secretTitle}
          about={text.secretAbout}
          secrets={[{ label: text.secret, value: open.secret }]}
          onClose={onClose}
        />
      )
    case 'configure':
      return <ConfigureDialog endpoint={open.endpoint} onClose={onClose} onSecret={onSecret} />
    case 'rotate':
      return <RotateSecretDialog endpoint={open.endpoint} onClose={onClose} onSecret={onSecret} />
    case 'test':
      return <TestDialog endpoint={open.endpoint} onClose={onClose} />
    case 'switch':
      return <SwitchDialog endpoint={open.endpoint} onClose={onClose} />
    case 'remove':
      return <RemoveDialog endpoint={open.endpoint} onClose={onClose} />
  }
}
