import { SHELL } from '../shell/messages.ts'
import { useText } from '../text/language.ts'
import { Button, Key } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Checkbox, TextField } from '../ui/field.tsx'
import type { IconName } from '../ui/icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { UI } from '../ui/messages.ts'
import type { Tone } from '../ui/state.tsx'
import { colourOf, Shape } from '../ui/state.tsx'
import { say } from '../ui/toast.tsx'
import { Sheet } from './sheet.tsx'

// Dialogs are drawn here without the layer above the page, so that all of them can be looked at together.

export function OverlaySheets() {
  return (
    <>
      <DialogSheet />
      <SecretSheet />
      <ToastSheet />
      <PaletteSheet />
      <KeySheet />
    </>
  )
}

function DialogSheet() {
  const ui = useText(UI)
  return (
    <Sheet
      title="Dialogs"
      about="The verb on the button is the verb of the title; the safe way out comes first"
    >
      <div className="dlg still">
        <header>
          <Shape tone="critical" isColoured />
          <h3>Revoke the key Counter app?</h3>
        </header>
        <div className="in">
          <p className="mid">
            Programs that sign with it are refused within 5 seconds. This cannot be taken back.
          </p>
          <TextField
            label={
              <>
                {ui.typeToConfirm} <span className="mono">Counter app</span>
              </>
            }
            value={'Counter app'.slice(0, 4)}
            onValue={() => {}}
          />
        </div>
        <footer>
          <Button>Keep the key</Button>
          <Button look="danger" disabled>
            Revoke
          </Button>
        </footer>
      </div>
    </Sheet>
  )
}

function SecretSheet() {
  const ui = useText(UI)
  return (
    <Sheet title="Shown once" about="A secret is on the screen one time, and says so">
      <div className="dlg still">
        <header>
          <h3>Your new signing secret</h3>
        </header>
        <div className="in">
          <p className="mid">{ui.shownOnce}</p>
          <div className="input secret">
            <span className="mono cut">example-not-a-secret-0000000000000000000000=</span>
            <CopyButton value="example-not-a-secret-0000000000000000000000=" />
          </div>
          <Checkbox label={ui.kept} isOn={false} onToggle={() => {}} />
        </div>
        <footer>
          <Button look="primary" disabled>
            {ui.done}
          </Button>
        </footer>
      </div>
    </Sheet>
  )
}

function ToastSheet() {
  const toasts: readonly (readonly [Tone, string])[] = [
    ['ok', 'Paid MYR 84.40. The bill is being paid.'],
    ['wait', 'The import goes on in the background.'],
    ['bad', 'Nothing was paid: the wallet balance is too low by MYR 12.05.'],
  ]
  return (
    <Sheet title="Toasts" about="Every change says what it did">
      <div className="stack tight toast-row">
        {toasts.map(([tone, words]) => (
          <div className="toast" key={tone}>
            <span className={colourOf(tone)}>
              <Shape tone={tone} />
            </span>
            <span>{words}</span>
          </div>
        ))}
        <Button size="sm" onClick={() => say('Paid MYR 84.40. The bill is being paid.')}>
          Show one
        </Button>
      </div>
    </Sheet>
  )
}

function PaletteSheet() {
  const shell = useText(SHELL)
  const items: readonly (readonly [IconName, string, string])[] = [
    ['phone', 'Kita Prepaid', 'KITA'],
    ['pin', 'Kita PIN', 'KITAPIN'],
    ['catalog', 'Catalogue', 'G C'],
  ]
  return (
    <Sheet title="Command palette" about="From anywhere: pages, products, refids, accounts">
      <div className="dlg still pal">
        <div className="q">
          <Icon name="search" />
          <input aria-label={shell.search} value="kita" readOnly />
          <Key>Esc</Key>
        </div>
        <div className="pal-list">
          {items.map(([icon, name, detail], index) => (
            <div key={name} className={index === 0 ? 'item on' : 'item'}>
              <Icon name={icon} />
              <span className="cut">{name}</span>
              <span className="push">{detail}</span>
            </div>
          ))}
        </div>
      </div>
    </Sheet>
  )
}

function KeySheet() {
  const shell = useText(SHELL)
  const lines: readonly (readonly [string, readonly string[]])[] = [
    [shell.keys.palette, ['Ctrl', 'K']],
    [shell.keys.list, ['?']],
    [shell.keys.find, ['/']],
    [shell.keys.rows, ['J', 'K']],
    [shell.keys.openRow, ['Enter']],
    [shell.keys.newSale, ['N']],
    [shell.keys.close, ['Esc']],
    [shell.keys.theme, ['Shift', 'D']],
  ]
  return (
    <Sheet title="Keys" about="Letters rest while a field has the focus">
      <dl className="keys two">
        {lines.map(([name, keys]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {keys.map((each) => (
                <Key key={each}>{each}</Key>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}
