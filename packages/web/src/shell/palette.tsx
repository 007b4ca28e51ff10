import type { KeyboardEvent } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { useText } from '../text/language.ts'
import { Key } from '../ui/button.tsx'
import type { IconName } from '../ui/icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { UI } from '../ui/messages.ts'
import { SHELL } from './messages.ts'

export type PaletteItem = {
  readonly key: string
  readonly icon: IconName
  readonly label: string
  readonly detail?: string
  readonly run: () => void
}

export type PaletteGroup = { readonly title: string; readonly items: readonly PaletteItem[] }

type PaletteProps = {
  readonly onClose: () => void
  readonly search: string
  readonly onSearch: (search: string) => void
  /** Groups for the text that was typed, best first. */
  readonly groups: readonly PaletteGroup[]
  readonly isReading: boolean
}

/** Command palette: one field that leads to every page, action, payment and product. */
export function Palette({ onClose, search, onSearch, groups, isReading }: PaletteProps) {
  const text = useText(SHELL)
  const ui = useText(UI)
  const element = useRef<HTMLDialogElement>(null)
  const listId = useId()
  const [at, setAt] = useState(0)
  const items = groups.flatMap((each) => each.items)
  const chosen = items[Math.min(at, items.length - 1)]
  useEffect(() => {
    const dialog = element.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  const run = (item: PaletteItem | undefined) => {
    if (item === undefined) return
    onClose()
    item.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      setAt(Math.min(Math.max(Math.min(at, items.length - 1) + step, 0), Math.max(items.length - 1, 0)))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(chosen)
    }
  }
  return (
    <dialog ref={element} className="pal" aria-label={text.search} onCancel={onClose} onClose={onClose}>
      <div className="q">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={chosen === undefined ? undefined : `${listId}-${chosen.key}`}
          aria-label={text.search}
          autoComplete="off"
          value={search}
          onChange={(event) => {
            onSearch(event.target.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
        <Key>Esc</Key>
      </div>
      <div id={listId} role="listbox" aria-label={text.search} className="pal-list">
        {groups.map((group) =>
          group.items.length === 0 ? null : (
            // biome-ignore lint/a11y/useSemanticElements: a group of options has no element of its own.
            <div role="group" aria-label={group.title} key={group.title}>
              <p className="group" aria-hidden="true">
                {group.title}
              </p>
              {group.items.map((item) => (
                // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, as the pattern demands.
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
                <div
                  key={item.key}
                  id={`${listId}-${item.key}`}
                  role="option"
                  aria-selected={item === chosen}
                  className={item === chosen ? 'item on' : 'item'}
                  onClick={() => run(item)}
                >
                  <Icon name={item.icon} />
                  <span className="cut">{item.label}</span>
                  {item.detail === undefined ? null : <span className="push">{item.detail}</span>}
                </div>
              ))}
            </div>
          ),
        )}
        {items.length === 0 ? <p className="sub">{isReading ? ui.loading : ui.noMatch}</p> : null}
      </div>
      <footer>
        <span>
          <Key>↑</Key> <Key>↓</Key> {text.move}
        </span>
        <span>
          <Key>Enter</Key> {text.open}
        </span>
        <span>
          <Key>?</Key> {text.allShortcuts}
        </span>
      </footer>
    </dialog>
  )
}
