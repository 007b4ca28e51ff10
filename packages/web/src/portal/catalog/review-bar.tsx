import { useState } from 'react'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useText } from '../../text/language.ts'
import { Button, Key } from '../../ui/button.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { State } from '../../ui/state.tsx'
import type { Editor } from './editor.ts'
import { CATALOG } from './messages.ts'
import { ReviewDialog } from './review-dialog.tsx'

/** Bar at the foot of the page while changes wait. */
export function ReviewBar({ editor }: { editor: Editor }) {
  const text = useText(CATALOG)
  const [isOpen, setOpen] = useState(false)
  const isReady = editor.count > 0 && editor.isReadable && editor.refused.length === 0
  useShortcuts({
    'ctrl+enter': () => {
      if (isReady && document.querySelector('dialog[open]') === null) setOpen(true)
    },
  })
  if (editor.count === 0) return null
  return (
    <>
      <section className="bar" aria-label={text.review}>
        <span>
          <b className="strong">{text.changed(editor.count)}</b>, {text.notApplied}
        </span>
        {editor.isReadable ? null : <State tone="bad">{text.unreadable}</State>}
        {editor.refused.length === 0 ? null : (
          <State tone="bad">{text.noPriceLeft(editor.refused.join(', '))}</State>
        )}
        {editor.newlyLosing.length === 0 || editor.refused.length > 0 ? null : (
          <State tone="critical">{text.wouldLose(editor.newlyLosing.join(', '))}</State>
        )}
        <span className="push row">
          <Button look="quiet" onClick={editor.discard}>
            {text.discard}
          </Button>
          <Button look="primary" disabled={!isReady} onClick={() => setOpen(true)}>
            {text.review} <Key>Ctrl Enter</Key>
          </Button>
        </span>
        {editor.refused.length === 0 ? <ActionProblem error={editor.error} /> : null}
      </section>
      {isOpen ? <ReviewDialog editor={editor} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
