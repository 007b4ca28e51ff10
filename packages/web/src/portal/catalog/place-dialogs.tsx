import { useState } from 'react'
import { useText } from '../../text/language.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import type { Category } from './draft.ts'
import type { Editor } from './editor.ts'
import { CATALOG } from './messages.ts'

const NAME_LENGTH_MAX = 100

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
