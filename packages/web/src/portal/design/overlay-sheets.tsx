import { SHELL } from '../../shell/messages.ts'
import { useText } from '../../text/language.ts'
import { Button, Key } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import type { IconName } from '../../ui/icon.tsx'
import { Icon } from '../../ui/icon.tsx'
import { UI } from '../../ui/messages.ts'
import type { Tone } from '../../ui/state.tsx'
import { colourOf, Shape } from '../../ui/state.tsx'
import { say } from '../../ui/toast.tsx'
import { DESIGN } from './messages.ts'
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
  const text = useText(DESIGN)
  const ui = useText(UI)
  return (
    <Sheet title={text.dialogs} about={text.dialogsAbout}>
      <div className="dlg still">
        <header>
          <Shape tone="critical" isColoured />
          <h3>{text.revokeTitle}</h3>
        </header>
        <div className="in">
          <p className="mid">{text.revokeAbout}</p>
          <TextField
            label={
              <>
                {ui.typeToConfirm} <span className="mono">{text.keyName}</span>
              </>
            }
            value={text.keyName.slice(0, 4)}
            onValue={() => {}}
          />
        </div>
        <footer>
          <Button>{text.keepKey}</Button>
          <Button look="danger" disabled>
            {text.revoke}
          </Button>
        </footer>
      </div>
    </Sheet>
  )
}

function SecretSheet() {
  const text = useText(DESIGN)
  const ui = useText(UI)
  return (
    <Sheet title={text.shownOnce} about={text.shownOnceAbout}>
      <div className="dlg still">
        <header>
          <h3>{text.newSecret}</h3>
        </header>
        <div className="in">
          <p className="mid">{ui.shownOnce}</p>
          <div className="input secret">
            <span className="mono cut">{text.sampleSecret}</span>
            <CopyButton value={text.sampleSecret} />
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
  const text = useText(DESIGN)
  const toasts: readonly (readonly [Tone, string])[] = [
    ['ok', text.toastOk],
    ['wait', text.toastWait],
    ['bad', text.toastBad],
  ]
  return (
    <Sheet title={text.toasts} about={text.toastsAbout}>
      <div className="stack tight toast-row">
        {toasts.map(([tone, words]) => (
          <div className="toast" key={tone}>
            <span className={colourOf(tone)}>
              <Shape tone={tone} />
            </span>
            <span>{words}</span>
          </div>
        ))}
        <Button size="sm" onClick={() => say(text.toastOk)}>
          {text.showToast}
        </Button>
      </div>
    </Sheet>
  )
}

function PaletteSheet() {
  const text = useText(DESIGN)
  const shell = useText(SHELL)
  const items: readonly (readonly [IconName, string, string])[] = [
    ['phone', text.paletteOne, 'KITA'],
    ['pin', text.paletteTwo, 'KITAPIN'],
    ['catalog', text.paletteThree, 'G C'],
  ]
  return (
    <Sheet title={text.palette} about={text.paletteAbout}>
      <div className="dlg still pal">
        <div className="q">
          <Icon name="search" />
          <input aria-label={shell.search} value={text.paletteSearch} readOnly />
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
  const text = useText(DESIGN)
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
    <Sheet title={text.keys} about={text.keysAbout}>
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
