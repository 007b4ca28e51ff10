import { useState } from 'react'
import { useText } from '../../text/language.ts'
import { Button, IconButton, Key } from '../../ui/button.tsx'
import type { ComboOption } from '../../ui/combobox.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Checkbox, Segment, SelectField, Switch, TextAreaField, TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { DESIGN } from './messages.ts'
import { Sheet } from './sheet.tsx'

export function ControlSheets() {
  return (
    <>
      <ButtonSheet />
      <ChoiceSheet />
      <FieldSheet />
    </>
  )
}

function ButtonSheet() {
  const text = useText(DESIGN)
  return (
    <Sheet title={text.buttons} about={text.buttonsAbout}>
      <div className="cl">
        <Button look="primary">{text.pay}</Button>
        <Button icon="down">{text.exportCsv}</Button>
        <Button look="quiet">{text.discard}</Button>
        <Button look="danger-quiet">{text.askVoid}</Button>
        <Button look="danger">{text.revoke}</Button>
      </div>
      <div className="cl">
        <Button className="is-hover">{text.hover}</Button>
        <Button className="is-focus">{text.focus}</Button>
        <Button look="primary" className="is-focus">
          {text.focus}
        </Button>
        <Button disabled>{text.disabled}</Button>
        <Button look="primary" isBusy>
          {text.busy}
        </Button>
      </div>
      <div className="cl">
        <Button size="sm">{text.small}</Button>
        <Button size="lg">{text.large}</Button>
        <IconButton icon="moon" label={text.iconButton} />
        <CopyButton value={text.codes} />
        <Key>Enter</Key>
      </div>
    </Sheet>
  )
}

function ChoiceSheet() {
  const text = useText(DESIGN)
  const [isChecked, setChecked] = useState(true)
  const [isOn, setOn] = useState(true)
  const [which, setWhich] = useState<'all' | 'failed'>('all')
  return (
    <Sheet title={text.choices} about={text.choicesAbout}>
      <div className="cl far">
        <Checkbox label={text.unchecked} isOn={false} onToggle={() => {}} />
        <Checkbox label={text.checked} isOn={isChecked} onToggle={setChecked} />
        <Switch label={text.switchedOff} isOn={false} onToggle={() => {}} />
        <Switch label={text.switchedOn} isOn={isOn} onToggle={setOn} />
      </div>
      <div className="cl far">
        <Segment
          label={text.segment}
          value={which}
          onValue={setWhich}
          options={[
            { value: 'all', label: text.all },
            { value: 'failed', label: text.failed },
          ]}
        />
        <button type="button" className="chip on">
          <span className="sub">{text.days}</span>
          <b>{text.someDays}</b>
          <Icon name="close" />
        </button>
        <button type="button" className="chip add">
          <Icon name="plus" />
          {text.filter}
        </button>
      </div>
    </Sheet>
  )
}

function FieldSheet() {
  const text = useText(DESIGN)
  const [value, setValue] = useState('')
  const [note, setNote] = useState('')
  const [select, setSelect] = useState('')
  return (
    <Sheet title={text.fields} about={text.fieldsAbout} width={6}>
      <div className="three">
        <TextField
          label={text.mobile}
          hint={text.mobileHint}
          placeholder="60123456789"
          value={value}
          onValue={setValue}
        />
        <TextField label={text.fieldChecked} isChecked value="60171180341" onValue={() => {}} />
        <TextField label={text.mending} error={text.mendingError} value="0171180" onValue={() => {}} />
        <TextField label={text.amount} before="MYR" inputMode="decimal" value="30.00" onValue={() => {}} />
        <TextField
          label={text.waiting}
          aside={text.offers}
          disabled
          value={text.numberFirst}
          onValue={() => {}}
        />
        <SelectField
          label={text.select}
          placeholder={text.selectFirst}
          value={select}
          onValue={setSelect}
          options={[
            { value: 'a', label: text.all },
            { value: 'b', label: text.failed },
          ]}
        />
        <ComboboxSample />
        <TextAreaField label={text.reason} rows={2} value={note} onValue={setNote} />
      </div>
    </Sheet>
  )
}

function ComboboxSample() {
  const text = useText(DESIGN)
  const [chosen, setChosen] = useState<ComboOption | undefined>(undefined)
  const [search, setSearch] = useState('')
  const all: ComboOption[] = [
    { value: 'air', label: text.billerOne, detail: 'AIR' },
    { value: 'elektrik', label: text.billerTwo, detail: 'TNK' },
  ]
  return (
    <Combobox
      label={text.combobox}
      placeholder={text.comboboxHint}
      chosen={chosen}
      onChoose={setChosen}
      search={search}
      onSearch={setSearch}
      options={all.filter((each) => each.label.toLowerCase().includes(search.toLowerCase()))}
    />
  )
}
