import type { ReactNode } from 'react'
import { useText } from '../text/language.ts'
import { Button, Key } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { UI } from '../ui/messages.ts'
import { SHELL } from './messages.ts'

type HelpDialogProps = {
  readonly onClose: () => void
  /** Letters after G, and the pages they lead to. */
  readonly goTo: readonly (readonly [letter: string, page: string])[]
  readonly hasSale: boolean
}

/** List of the keys. */
export function HelpDialog({ onClose, goTo, hasSale }: HelpDialogProps) {
  const text = useText(SHELL)
  const ui = useText(UI)
  const lines: (readonly [string, ReactNode])[] = [
    [text.keys.palette, <Keys key="k" keys={['Ctrl', 'K']} />],
    ...goTo.map(
      ([letter, page]) => [text.keys.go(page), <Keys key={letter} keys={['G', letter]} />] as const,
    ),
    ...(hasSale ? [[text.keys.newSale, <Keys key="n" keys={['N']} />] as const] : []),
    [text.keys.rows, <Keys key="j" keys={['J', 'K']} />],
    [text.keys.openRow, <Keys key="e" keys={['Enter']} />],
    [text.keys.find, <Keys key="f" keys={['/']} />],
    [text.keys.close, <Keys key="x" keys={['Esc']} />],
    [text.keys.theme, <Keys key="d" keys={['Shift', 'D']} />],
    [text.keys.list, <Keys key="q" keys={['?']} />],
  ]
  return (
    <Dialog
      title={text.shortcuts}
      onClose={onClose}
      onSubmit={onClose}
      footer={<Button type="submit">{ui.close}</Button>}
    >
      <p className="sub">{text.shortcutsAbout}</p>
      <dl className="keys">
        {lines.map(([name, keys]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{keys}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

function Keys({ keys }: { keys: readonly string[] }) {
  return (
    <span className="row tight">
      {keys.map((each) => (
        <Key key={each}>{each}</Key>
      ))}
    </span>
  )
}
