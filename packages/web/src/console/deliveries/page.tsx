import { useText } from '../../text/language.ts'
import { PageHead } from '../../ui/panel.tsx'
import { CONSOLE } from '../messages.ts'
import { DELIVERIES } from './messages.ts'
import { QueuesPanel } from './queues-panel.tsx'
import { ReceiversPanel } from './receivers-panel.tsx'

/** Receivers: which one lags, and whether to pause it. */
export function Page() {
  const text = useText(DELIVERIES)
  const pages = useText(CONSOLE)
  return (
    <>
      <PageHead title={pages.deliveries} about={text.about} />
      <div className="grid">
        <QueuesPanel />
        <ReceiversPanel />
      </div>
    </>
  )
}
