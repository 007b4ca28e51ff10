import { useState } from 'react'
import type { PortalProduct } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { Field, SelectField, Switch, TextField } from '../../ui/field.tsx'
import { UI } from '../../ui/messages.ts'
import { Facts } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { readAdjustment } from './adjustment.ts'
import { AdjustmentField, BeforeAfter, costText, priceRange } from './adjustment-field.tsx'
import type { Category } from './draft.ts'
import { drafted, treeOf } from './draft.ts'
import type { Editor } from './editor.ts'
import { CATALOG } from './messages.ts'

type ProductDialogProps = {
  readonly editor: Editor
  readonly product: PortalProduct
  readonly place: { readonly at: number; readonly of: number } | undefined
  readonly onMove: ((step: 1 | -1) => void) | undefined
  readonly onClose: () => void
}

const NAME_LENGTH_MAX = 100

/** All that can be changed of one product, with before and after; the sheet of narrow screens. */
export function ProductDialog({ editor, product, place, onMove, onClose }: ProductDialogProps) {
  const text = useText(CATALOG)
  const ui = useText(UI)
  const draft = editor.draft.products[product.code]
  const shown = drafted(product, draft)
  const sides = editor.sidesOf(product.code)
  const categories = treeOf(editor.catalog, editor.draft).flatMap(({ group, categories: within }) =>
    within.map(({ code, name }) => ({ value: code, label: `${group.name}: ${name}` })),
  )
  const isBad = readAdjustment(shown.adjustment) === undefined
  const refusal = editor.refusalOf(product.code)
  const problem = isBad ? text.unreadable : refusal === undefined ? undefined : text.refused(refusal)
  return (
    <Dialog
      title={text.edit(product.name)}
      onClose={onClose}
      onSubmit={onClose}
      footer={
        <>
          {draft === undefined ? null : (
            <Button look="quiet" onClick={() => editor.change(product, asBefore(product))}>
              {text.discard}
            </Button>
          )}
          <Button type="submit" look="primary">
            {draft === undefined ? ui.close : text.ready}
          </Button>
        </>
      }
    >
      <div className="row">
        <Switch
          label={text.onSale(shown.name)}
          isOn={shown.isEnabled}
          onToggle={(enabled) => editor.change(product, { enabled })}
        />
        <span>{text.sold}</span>
      </div>
      <TextField
        label={text.name}
        hint={text.nameHint(product.base_name)}
        value={shown.name}
        maxLength={NAME_LENGTH_MAX}
        onValue={(name) => editor.change(product, { name })}
      />
      <SelectField
        label={text.category}
        value={shown.category}
        options={categories}
        onValue={(category) => editor.change(product, { category })}
      />
      <Field label={text.adjustment} error={problem}>
        {({ 'aria-describedby': about }) => (
          <AdjustmentField
            name={shown.name}
            value={shown.adjustment}
            isChanged={draft?.adjustment !== undefined}
            isDisabled={false}
            refusedBy={refusal === undefined ? undefined : about}
            onValue={(adjustment) => editor.change(product, { adjustment })}
          />
        )}
      </Field>
      {onMove === undefined || place === undefined ? null : (
        <div className="row">
          <Button size="sm" disabled={place.at === 0} onClick={() => onMove(-1)}>
            {text.moveUp}
          </Button>
          <Button size="sm" disabled={place.at === place.of - 1} onClick={() => onMove(1)}>
            {text.moveDown}
          </Button>
          <span className="sub small">
            {place.at + 1} / {place.of}
          </span>
        </div>
      )}
      <Facts
        facts={[
          { term: text.cost, value: costText(product, text) },
          sides === undefined
            ? undefined
            : {
                term: text.price,
                value: (
                  <BeforeAfter
                    before={priceRange(sides.before.lines)}
                    after={priceRange(sides.after.lines)}
                  />
                ),
              },
          {
            term: text.margin,
            value: <BeforeAfter before={product.margin} after={(sides?.after ?? product).margin} marksLoss />,
          },
        ]}
      />
      {sides?.after.has_loss_risk ? (
        <Note tone="critical">
          <b>{text.loseTitle(product.code)}</b>
        </Note>
      ) : null}
      {refusal === undefined ? <ActionProblem error={editor.error} /> : null}
    </Dialog>
  )
}

/** Values of the product as they stand: given as changes they undo every change. */
function asBefore(product: PortalProduct) {
  const { isEnabled, order, ...values } = drafted(product, undefined)
  return { ...values, enabled: isEnabled, display_order: order }
}

type NameDialogProps = {
  readonly title: string
  readonly about: string
  readonly action: string
  readonly value: string
  readonly onName: (name: string) => void
  readonly onClose: () => void
}

function NameDialog({ title, about, action, value, onName, onClose }: NameDialogProps) {
  const text = useText(CATALOG)
  const [name, setName] = useState(value)
  return (
    <ConfirmDialog
      title={title}
      action={action}
      isDangerous={false}
      isBusy={false}
      error={null}
      isReady={name.trim() !== ''}
      onConfirm={() => {
        onName(name.trim())
        onClose()
      }}
      onClose={onClose}
    >
      <p className="mid">{about}</p>
      <TextField label={text.groupName} value={name} maxLength={NAME_LENGTH_MAX} onValue={setName} />
    </ConfirmDialog>
  )
}

/** Gives a category another name. */
export function RenameDialog(props: { editor: Editor; category: Category; onClose: () => void }) {
  const { editor, category, onClose } = props
  const text = useText(CATALOG)
  return (
    <NameDialog
      title={text.renameTitle(category.name)}
      about={text.renameAbout}
      action={text.ready}
      value={category.name}
      onName={(name) =>
        editor.setCategory(category.code, { name, isOwn: category.is_own, group: category.group })
      }
      onClose={onClose}
    />
  )
}

/** Adds a group of the reseller's own with one category, into which products can be moved. */
export function OwnGroupDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const text = useText(CATALOG)
  const add = (name: string) => {
    const code = freeCode(name, [
      ...editor.catalog.groups.map((each) => each.code),
      ...editor.catalog.categories.map((each) => each.code),
      ...Object.keys(editor.draft.groups),
    ])
    editor.setGroup(code, { name, isOwn: true })
    editor.setCategory(code, { name, isOwn: true, group: code })
  }
  return (
    <NameDialog
      title={text.ownGroupTitle}
      about={text.ownGroupAbout}
      action={text.add}
      value=""
      onName={add}
      onClose={onClose}
    />
  )
}

const CODE_LENGTH_MAX = 40

/** Code of a new group from its name, of the letters that codes may have. */
function freeCode(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, CODE_LENGTH_MAX)
  const base = `OWN_${plain}`
  if (!taken.includes(base)) return base
  let number = 2
  while (taken.includes(`${base}_${number}`)) number += 1
  return `${base}_${number}`
}
