import { useText } from '../../text/language.ts'
import { useRefusalText } from '../../text/remarks.ts'
import { PageHead } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { useIsAdmin } from '../session.ts'
import { FilePanel } from './file-panel.tsx'
import { LinesPanel } from './lines-panel.tsx'
import { BULK } from './messages.ts'
import { RunPanel } from './run-panel.tsx'
import { useBulk } from './use-bulk.ts'
import './bulk.css'

/** A file of payments: checked first, then paid line by line. */
export function Page() {
  const text = useText(BULK)
  const pages = useText(PORTAL)
  const isAdmin = useIsAdmin()
  const bulk = useBulk(text.sameRefid, useRefusalText())
  const { reading } = bulk
  return (
    <>
      <PageHead title={pages.bulk} about={text.about} />
      {isAdmin ? (
        <div className="grid">
          {reading.kind === 'read' ? null : <FilePanel bulk={bulk} />}
          {reading.kind === 'read' ? (
            <>
              <RunPanel bulk={bulk} preview={reading.preview} />
              <LinesPanel rows={bulk.rows} />
            </>
          ) : null}
        </div>
      ) : (
        <Note tone="info">{text.viewer}</Note>
      )}
    </>
  )
}
