import { Icon } from '../../ui/icon.tsx'

export type SelectBoxProps = {
  readonly label: string
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => void
}

/** Checkbox of a row; its label is read out and not shown. */
export function SelectBox({ label, isOn, onToggle }: SelectBoxProps) {
  return (
    <span className="check-box">
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        onChange={(event) => onToggle(event.target.checked)}
      />
      <Icon name="check" />
    </span>
  )
}
