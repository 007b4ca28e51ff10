import { useState } from 'react'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { useShortcuts } from '../../shell/shortcuts.ts'
import type { Translated } from '../../text/language.ts'
import { useText } from '../../text/language.ts'
import { Button, Key } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note, State } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { readAdjustment } from './adjustment.ts'
import { BeforeAfter } from './adjustment-field.tsx'
import type { ProductDraft } from './draft.ts'
import { editsOf } from './draft.ts'
import type { Editor } from './editor.ts'
import { CATALOG } from './messages.ts'

type Text = Translated<(typeof CATALOG)['en']>

/** Last look at all changes, measured by the service now; only from here they are applied. */
function ReviewDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const text = useText(CATALOG)
  const [edits] = useState(() => editsOf(editor.draft, editor.catalog))
  const [acceptsLoss, setAcceptsLoss] = useState(false)
  const reading = usePortal('portalPreviewCatalogue', { body: edits })
  const preview = reading.data?.data
  const losing = preview?.newly_losing ?? []
  const action = useAction({
    act: () =>
      portal.call('portalApplyCatalogue', {
        body: {
          ...edits,
          ...(preview === undefined ? {} : { fingerprint: preview.fingerprint }),
          ...(acceptsLoss ? { accept_loss: true } : {}),
        },
      }),
    done: ({ data }) => (data.is_changed ? text.applied : text.appliedNothing),
    refresh: [
      portalKey('portalGetCatalogue'),
      portalKey('portalGetProduct'),
      portalKey('portalPreviewCatalogue'),
      portalKey('portalGetSellCatalog'),
    ],
    onDone: () => {
      editor.discard()
      onClose()
    },
  })
  const isReady = preview !== undefined && (losing.length === 0 || acceptsLoss)
  return (
    <Dialog
      title={text.applyTitle(editor.count)}
      isWide
      onClose={onClose}
      onSubmit={() => {
        if (isReady && !action.isBusy) action.run()
      }}
      footer={
        <>
          <span className="sub small foot-note">{text.refusedIf}</span>
          <Button onClick={onClose}>{text.goBack}</Button>
          <Button
            type="submit"
            look={losing.length === 0 ? 'primary' : 'danger'}
            disabled={!isReady}
            isBusy={action.isBusy}
          >
            {losing.length === 0 ? text.apply : text.applyLoss}
          </Button>
        </>
      }
    >
      <Loaded reading={reading}>{({ data }) => <Changes editor={editor} products={data.products} />}</Loaded>
      {losing.length === 0 ? null : (
        <>
          <Note tone="critical">
            <b>{text.loseTitle(losing.join(', '))}</b> {text.loseAbout}
          </Note>
          <Checkbox label={text.acceptLoss(losing.join(', '))} isOn={acceptsLoss} onToggle={setAcceptsLoss} />
        </>
      )}
      <ActionProblem error={action.error} />
    </Dialog>
  )
}

type Sided = { code: string; before: { margin: Margin }; after: { margin: Margin } }
type Margin = { min: string; max: string } | null

function Changes({ editor, products }: { editor: Editor; products: readonly Sided[] }) {
  const text = useText(CATALOG)
  const { draft } = editor
  const places = [...Object.entries(draft.groups), ...Object.entries(draft.categories)]
  return (
    <div className="scroll-x framed">
      <table className="tbl">
        <caption className="hide">{text.change}</caption>
        <thead>
          <tr>
            <th scope="col">{text.product}</th>
            <th scope="col">{text.change}</th>
            <th scope="col" className="r">
              {text.margin}
            </th>
          </tr>
        </thead>
        <tbody>
          {places.map(([code, { name }], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a group and a category may share a code.
            <tr key={`${code} ${index}`}>
              <td className="mono">{code}</td>
              <td>{text.groupChange(name)}</td>
              <td />
            </tr>
          ))}
          {products.map(({ code, before, after }) => (
            <tr key={code}>
              <td className="mono">{code}</td>
              <td>{changeText(draft.products[code] ?? {}, text)}</td>
              <td className="r">
                <BeforeAfter before={before.margin} after={after.margin} marksLoss />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function changeText(draft: ProductDraft, text: Text): string {
  const parts: string[] = []
  if (draft.enabled !== undefined) parts.push(draft.enabled ? text.changes.on : text.changes.off)
  if (draft.name !== undefined) parts.push(text.changes.name)
  if (draft.category !== undefined) parts.push(text.changes.category)
  if (draft.display_order !== undefined) parts.push(text.changes.order)
  if (draft.adjustment !== undefined) {
    const { type, text: typed } = draft.adjustment
    const isNone = readAdjustment(draft.adjustment) === null
    const sign = /^[+\-−]/.test(typed.trim()) ? '' : '+'
    const amount = type === 'fixed' ? `${sign}${typed.trim()} MYR` : `${sign}${typed.trim()}%`
    parts.push(isNone ? text.changes.priceBack : text.changes.price(amount))
  }
  return parts.join(', ')
}

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
