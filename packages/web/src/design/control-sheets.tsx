import { useState } from 'react'
import { Button, IconButton, Key } from '../ui/button.tsx'
import type { ComboOption } from '../ui/combobox.tsx'
import { Combobox } from '../ui/combobox.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { Checkbox, Segment, SelectField, Switch, TextAreaField, TextField } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
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
  return (
    <Sheet title="Buttons" about="One primary per view. Danger only inside a dialog that says what is lost">
      <div className="cl">
        <Button look="primary">Pay MYR 84.40</Button>
        <Button icon="down">Export CSV</Button>
        <Button look="quiet">Discard</Button>
        <Button look="danger-quiet">Request a void</Button>
        <Button look="danger">Revoke</Button>
      </div>
      <div className="cl">
        <Button className="is-hover">Hover</Button>
        <Button className="is-focus">Focus</Button>
        <Button look="primary" className="is-focus">
          Focus
        </Button>
        <Button disabled>Disabled</Button>
        <Button look="primary" isBusy>
          Paying
        </Button>
      </div>
      <div className="cl">
        <Button size="sm">Small</Button>
        <Button size="lg">Large</Button>
        <IconButton icon="moon" label="Button with an icon" />
        <CopyButton value="60171180341 0O 1lI" />
        <Key>Enter</Key>
      </div>
    </Sheet>
  )
}

function ChoiceSheet() {
  const [isChecked, setChecked] = useState(true)
  const [isOn, setOn] = useState(true)
  const [which, setWhich] = useState<'all' | 'failed'>('all')
  return (
    <Sheet title="Choices" about="Clay selects; ink switches">
      <div className="cl far">
        <Checkbox label="Unchecked" isOn={false} onToggle={() => {}} />
        <Checkbox label="Checked" isOn={isChecked} onToggle={setChecked} />
        <Switch label="Switched off" isOn={false} onToggle={() => {}} />
        <Switch label="Switched on" isOn={isOn} onToggle={setOn} />
      </div>
      <div className="cl far">
        <Segment
          label="Segment"
          value={which}
          onValue={setWhich}
          options={[
            { value: 'all', label: 'All' },
            { value: 'failed', label: 'Failed' },
          ]}
        />
        <button type="button" className="chip on">
          <span className="sub">Days</span>
          <b>10 – 16 Nov</b>
          <Icon name="close" />
        </button>
        <button type="button" className="chip add">
          <Icon name="plus" />
          Filter
        </button>
      </div>
    </Sheet>
  )
}

function FieldSheet() {
  const [value, setValue] = useState('')
  const [note, setNote] = useState('')
  const [select, setSelect] = useState('')
  return (
    <Sheet
      title="Fields"
      about="The edge is 3:1 on paper; the message says what to type, not that it is wrong"
      width={6}
    >
      <div className="three">
        <TextField
          label="Mobile number"
          hint="With the 60 in front"
          placeholder="60123456789"
          value={value}
          onValue={setValue}
        />
        <TextField label="Checked by the service" isChecked value="60171180341" onValue={() => {}} />
        <TextField
          label="Needs mending"
          error="Enter a mobile number such as 60123456789"
          value="0171180"
          onValue={() => {}}
        />
        <TextField label="Amount" before="MYR" inputMode="decimal" value="30.00" onValue={() => {}} />
        <TextField
          label="Waits for the number"
          aside="Your offers"
          disabled
          value="Enter the number first"
          onValue={() => {}}
        />
        <SelectField
          label="Select"
          placeholder="Choose"
          value={select}
          onValue={setSelect}
          options={[
            { value: 'a', label: 'All' },
            { value: 'b', label: 'Failed' },
          ]}
        />
        <ComboboxSample />
        <TextAreaField label="Text area" rows={2} value={note} onValue={setNote} />
      </div>
    </Sheet>
  )
}

function ComboboxSample() {
  const [chosen, setChosen] = useState<ComboOption | undefined>(undefined)
  const [search, setSearch] = useState('')
  const all: ComboOption[] = [
    { value: 'air', label: 'Air Damai Tanjung Keranji', detail: 'AIR' },
    { value: 'elektrik', label: 'Tenaga Nusantara Keranji', detail: 'TNK' },
  ]
  return (
    <Combobox
      label="Combobox"
      placeholder="Type to search"
      chosen={chosen}
      onChoose={setChosen}
      search={search}
      onSearch={setSearch}
      options={all.filter((each) => each.label.toLowerCase().includes(search.toLowerCase()))}
    />
  )
}
