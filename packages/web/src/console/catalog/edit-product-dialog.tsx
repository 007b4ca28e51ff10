import { useState } from 'react'
import type { CataloguePreviewRequest, PreviewCatalogueResponse } from '../../api/operator.generated.ts'
import { operator, useOperator } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox, SelectField, TextAreaField, TextField } from '../../ui/field.tsx'
import { UI } from '../../ui/messages.ts'
import { ActionProblem } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ChangeReview } from './change-review.tsx'
import { CATALOG } from './messages.ts'
import type { ProductFile } from './product-document.ts'
import { textOf } from './product-document.ts'

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

/** Edits one product: first what changes for whom, then the change. */
export function EditProductDialog({ file, onClose }: { file: ProductFile; onClose: () => void }) {
  const text = useText(CATALOG)
  const ui = useText(UI)
  const { product } = file
  const [edited, setEdited] = useState<Readonly<Record<string, unknown>>>({})
  const shown: Readonly<Record<string, unknown>> = { ...product, ...edited }
  const change = (name: string, value: unknown) => setEdited({ ...edited, [name]: value })
  const catalog = useOperator('getCatalogue', {})
  const preview = useAction<void, Previewed>({
    act: async () => {
      const note = textOf(shown.note).trim()
      const request = { document: { products: [{ ...shown, note: note === '' ? null : note }] } }
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
              disabled={Object.keys(edited).length === 0}
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
          <ActionProblem error={preview.error} />
        </>
      ) : (
        <ChangeReview request={preview.answer.request} preview={preview.answer.data} onDone={onClose} />
      )}
    </Dialog>
  )
}
