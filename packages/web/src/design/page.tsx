import { PageHead } from '../ui/panel.tsx'
import { ContentSheets } from './content-sheets.tsx'
import { ControlSheets } from './control-sheets.tsx'
import { OverlaySheets } from './overlay-sheets.tsx'
import { StateSheets, TokenSheets, WaitingSheets } from './sheet.tsx'
import './design.css'

/** Internal page: every component in every state, once. */
export function Page() {
  return (
    <>
      <PageHead
        title="Design system"
        about="Every component in every state, once. Pages never invent their own."
      />
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
