import { useState } from 'react'
import type {
  CatalogueChange,
  CatalogueDifference,
  CataloguePreviewRequest,
  ChangeThatWaitsForApproval,
  PreviewCatalogueResponse,
} from '../../api/operator.generated.ts'
import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, SelectField, TextAreaField, TextField } from '../../ui/field.tsx'
import { UI } from '../../ui/messages.ts'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ReasonField } from '../parts/act.tsx'
import { ComparisonPanel, Consent, isWaiting, WaitingNote } from './comparison.tsx'
import { CATALOG, CHANGE } from './messages.ts'
import type { ProductFile } from './product-document.ts'
import { textOf } from './product-document.ts'
import type { EditedTexts } from './translations-fields.tsx'
import { TranslationsFields } from './translations-fields.tsx'

type Preview = PreviewCatalogueResponse['data']

type ChangeReviewProps = {
  readonly request: CataloguePreviewRequest
  readonly preview: Preview
  readonly onBusy?: (isBusy: boolean) => void
  readonly onDone: (version: number) => void
}

/** Effect of a catalogue change, for whom, and the button that makes it. */
export function ChangeReview({ request, preview, onBusy, onDone }: ChangeReviewProps) {
  const text = useText(CHANGE)
  const [reason, setReason] = useState('')
  const [hasConsent, setConsent] = useState(false)
  const [waiting, setWaiting] = useState<ChangeThatWaitsForApproval | undefined>(undefined)
  const action = useAction({
    act: async () => {
      onBusy?.(true)
      try {
        return await operator.call('importCatalogue', {
          body: { ...request, expected_version: preview.summary.version, reason: reason.trim() },
        })
      } finally {
        onBusy?.(false)
      }
    },
    done: (answer) => (isWaiting(answer) ? undefined : text.imported),
    refresh: STALE,
    onDone: (answer) => {
      if (isWaiting(answer)) setWaiting(answer)
      else onDone(answer.data.summary.version)
    },
  })
  if (waiting !== undefined) return <WaitingNote waiting={waiting} />
  if (preview.differences_total === 0) return <Note tone="info">{text.nothing}</Note>
  const isReady = reason.trim() !== '' && (preview.comparison.findings_total === 0 || hasConsent)
  return (
    <div className="stack">
      <SummaryTable summary={preview.summary} />
      <Affected summary={preview.summary} />
      <ComparisonPanel comparison={preview.comparison} />
      <Differences preview={preview} />
      <ReasonField value={reason} onValue={setReason} />
      <Consent comparison={preview.comparison} isGiven={hasConsent} onGiven={setConsent} />
      <ActionProblem error={action.error} />
      <div className="row">
        <Button look="primary" disabled={!isReady} isBusy={action.isBusy} onClick={() => action.run()}>
          {action.isBusy ? text.importing : text.import}
        </Button>
      </div>
    </div>
  )
}

const STALE = (
  [
    'getCatalogue',
    'listCatalogueProducts',
    'getCatalogueProduct',
    'listCatalogueOptions',
    'listLevels',
    'getLevel',
    'listMargins',
    'listApprovals',
  ] as const
).map((id) => operatorKey(id))

const KINDS = ['groups', 'categories', 'products', 'options', 'levels', 'texts', 'prices'] as const
type Kind = (typeof KINDS)[number]

function SummaryTable({ summary }: { summary: CatalogueChange }) {
  const text = useText(CHANGE)
  const { kinds } = useText(CATALOG)
  const touched = KINDS.filter((kind) =>
    [summary.created, summary.updated, summary.deactivated, summary.unchanged].some(
      (counts) => (counts[kind] ?? 0) > 0,
    ),
  )
  const columns: readonly Column<Kind>[] = [
    { key: 'kind', head: text.kind, cell: (kind) => kinds[kind] },
    ...(['created', 'updated', 'deactivated', 'unchanged'] as const).map((part) => ({
      key: part,
      head: text[part],
      isRight: true,
      cell: (kind: Kind) => countText(summary[part][kind] ?? 0),
    })),
  ]
  return (
    <div className="framed">
      <Table caption={text.whatChanges} columns={columns} rows={touched} rowKey={(kind) => kind} />
    </div>
  )
}

function Affected({ summary }: { summary: CatalogueChange }) {
  const text = useText(CHANGE)
  const left = summary.accounts_affected - summary.accounts.length
  return (
    <p>
      <b className="strong">{text.resellers(summary.accounts_affected)}</b>{' '}
      {summary.accounts.map((account) => (
        <PageLink key={account} className="link mono gap" to={`/operator/resellers/${account}`}>
          {account}
        </PageLink>
      ))}
      {left > 0 ? ` +${countText(left)}` : null}
    </p>
  )
}

const TONES = { create: 'ok', update: 'wait', deactivate: 'off' } as const

function Differences({ preview }: { preview: Preview }) {
  const text = useText(CHANGE)
  const { kinds } = useText(CATALOG)
  const left = preview.differences_total - preview.differences.length
  const columns: readonly Column<CatalogueDifference>[] = [
    {
      key: 'action',
      head: text.change,
      folded: 'shape',
      width: 130,
      cell: ({ action }) => <State tone={TONES[action]}>{text.actions[action]}</State>,
    },
    {
      key: 'id',
      head: text.difference,
      folded: 'name',
      cell: ({ kind, id }) => (
        <div className="who2">
          <span className="mono">{id}</span>
          <small>{kinds[kind]}</small>
        </div>
      ),
    },
    {
      key: 'changes',
      head: text.differences,
      folded: 'detail',
      cell: ({ changes }) => <ChangedParts changes={changes} />,
    },
  ]
  return (
    <div>
      <div className="framed differences">
        <Table
          caption={text.differences}
          columns={columns}
          rows={preview.differences}
          rowKey={({ kind, id }) => `${kind} ${id}`}
        />
      </div>
      {left > 0 ? <p className="sub small">{text.more(left)}</p> : null}
    </div>
  )
}

const PARTS_SHOWN = 6
const VALUE_LENGTH_MAX = 80

function ChangedParts({ changes }: { changes: CatalogueDifference['changes'] }) {
  const text = useText(CHANGE)
  const valueText = (value: unknown) => {
    if (value === null || value === undefined || value === '') return text.empty
    const shown = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return shown.length > VALUE_LENGTH_MAX ? `${shown.slice(0, VALUE_LENGTH_MAX)}…` : shown
  }
  return (
    <>
      {changes.slice(0, PARTS_SHOWN).map(({ name, before, after }) => (
        <div key={name} className="small">
          <span className="sub">{name}</span> <s>{valueText(before)}</s> → <b>{valueText(after)}</b>
        </div>
      ))}
      {changes.length > PARTS_SHOWN ? (
        <span className="sub small">+{changes.length - PARTS_SHOWN}</span>
      ) : null}
    </>
  )
}

const FLAGS = [
  { name: 'is_active', label: 'isActive' },
  { name: 'is_hidden', label: 'isHidden' },
  { name: 'is_restricted', label: 'isRestricted' },
  { name: 'is_refundable', label: 'isRefundable' },
] as const

type Previewed = {
  readonly request: CataloguePreviewRequest
  readonly data: PreviewCatalogueResponse['data']
}

function textOrNull(value: unknown): string | null {
  const text = textOf(value).trim()
  return text === '' ? null : text
}

/** Edits one product: first what changes for whom, then the change. */
export function EditProductDialog({ file, onClose }: { file: ProductFile; onClose: () => void }) {
  const text = useText(CATALOG)
  const ui = useText(UI)
  const { product } = file
  const [edited, setEdited] = useState<Readonly<Record<string, unknown>>>({})
  const shown: Readonly<Record<string, unknown>> = { ...product, ...edited }
  const [texts, setTexts] = useState<EditedTexts>(new Map())
  const change = (name: string, value: unknown) => setEdited({ ...edited, [name]: value })
  const catalog = useOperator('getCatalogue', {})
  const preview = useAction<void, Previewed>({
    act: async () => {
      const { note, redemption } = shown
      const products = [{ ...shown, note: textOrNull(note), redemption: textOrNull(redemption) }]
      const request = { document: { products, texts: [...texts.values()] } }
      const { data } = await operator.call('previewCatalogue', { body: request })
      return { request, data }
    },
  })
  const categories = (catalog.data?.data.categories ?? []).map(({ code, name }) => ({
    value: textOf(code),
    label: textOf(name),
  }))
  return (
    <Dialog
      title={text.editTitle(textOf(product.code))}
      isWide
      onClose={onClose}
      onSubmit={() => {
        if (preview.answer === undefined && !preview.isBusy) preview.run()
      }}
      footer={
        <>
          <Button onClick={onClose}>{ui.close}</Button>
          {preview.answer === undefined ? (
            <Button
              type="submit"
              look="primary"
              isBusy={preview.isBusy}
              disabled={Object.keys(edited).length === 0 && texts.size === 0}
            >
              {text.preview}
            </Button>
          ) : (
            <Button icon="edit" onClick={preview.reset}>
              {text.edit}
            </Button>
          )}
        </>
      }
    >
      {preview.answer === undefined ? (
        <>
          <TextField
            label={text.name}
            value={textOf(shown.name)}
            maxLength={100}
            onValue={(value) => change('name', value)}
          />
          <TextAreaField
            label={text.note}
            value={textOf(shown.note)}
            maxLength={2000}
            onValue={(value) => change('note', value)}
          />
          <TextAreaField
            label={text.redemption}
            hint={text.redemptionHint}
            value={textOf(shown.redemption)}
            maxLength={2000}
            onValue={(value) => change('redemption', value)}
          />
          <SelectField
            label={text.category}
            value={textOf(shown.category)}
            options={categories}
            onValue={(value) => change('category', value)}
          />
          {FLAGS.map(({ name, label }) => (
            <Checkbox
              key={name}
              label={text[label]}
              isOn={shown[name] === true}
              onToggle={(isOn) => change(name, isOn)}
            />
          ))}
          <TranslationsFields texts={file.texts} edited={texts} onEdited={setTexts} />
          <ActionProblem error={preview.error} />
        </>
      ) : (
        <ChangeReview request={preview.answer.request} preview={preview.answer.data} onDone={onClose} />
      )}
    </Dialog>
  )
}
