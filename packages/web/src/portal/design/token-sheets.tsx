import { useText } from '../../text/language.ts'
import type { IconName } from '../../ui/icon.tsx'
import { ICON_PATHS, Icon } from '../../ui/icon.tsx'
import { DESIGN } from './messages.ts'
import { Sheet } from './sheet.tsx'

const COLOURS = [
  'paper',
  'surface',
  'sunken',
  'line',
  'control',
  'ink-3',
  'ink-2',
  'ink',
  'accent',
  'accent-soft',
  'ok',
  'wait',
  'bad',
  'back',
  'chart-1',
  'chart-2',
] as const

const SIZES = [34, 26, 20, 16, 14, 13, 12, 11] as const

export function TokenSheets() {
  const text = useText(DESIGN)
  const icons = Object.keys(ICON_PATHS) as IconName[]
  return (
    <>
      <Sheet title={text.colours} about={text.coloursAbout} width={6}>
        <ul className="swt">
          {COLOURS.map((name) => (
            <li key={name}>
              <span style={{ background: `var(--${name})` }} />
              {name}
            </li>
          ))}
        </ul>
      </Sheet>
      <Sheet title={text.type} about={text.typeAbout}>
        <ul className="scale">
          {SIZES.map((size) => (
            <li key={size}>
              <small className="sub">{size}</small>
              <span className="cut" style={{ fontSize: `var(--t-${size})`, lineHeight: 1.3 }}>
                {text.sentence}
              </span>
            </li>
          ))}
          <li>
            <small className="sub">{text.mono}</small>
            <span className="mono">{text.codes}</span>
          </li>
        </ul>
      </Sheet>
      <Sheet title={text.icons} about={text.iconsAbout}>
        <ul className="icons">
          {icons.map((name) => (
            <li key={name}>
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      </Sheet>
    </>
  )
}
