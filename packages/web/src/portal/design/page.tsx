import { useText } from '../../text/language.ts'
import { PageHead } from '../../ui/panel.tsx'
import { ContentSheets } from './content-sheets.tsx'
import { ControlSheets } from './control-sheets.tsx'
import { DESIGN } from './messages.ts'
import { OverlaySheets } from './overlay-sheets.tsx'
import { StateSheets } from './state-sheets.tsx'
import { TokenSheets } from './token-sheets.tsx'
import { WaitingSheets } from './waiting-sheets.tsx'
import './design.css'

/** Internal page: every component in every state, once. */
export function Page() {
  const text = useText(DESIGN)
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <div className="sheets">
        <StateSheets />
        <TokenSheets />
        <ControlSheets />
        <WaitingSheets />
        <ContentSheets />
        <OverlaySheets />
      </div>
    </>
  )
}
