import { useText } from '../../text/language.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { SETTINGS } from './settings-messages.ts'
import type { Theme } from './theme.ts'
import { CONTRAST_MIN, contrast, FONTS, wholeColour } from './theme.ts'

type ThemeFieldsProps = {
  readonly theme: Theme
  readonly onTheme: (theme: Theme) => void
  readonly error: unknown
  readonly isDisabled: boolean
}

const COLOURS = [
  { member: 'accent', name: 'accent' },
  { member: 'background', name: 'background' },
  { member: 'surface', name: 'surface' },
  { member: 'text', name: 'ink' },
] as const

/** Fields of the theme. A colour is typed, or picked with the browser's own picker. */
export function ThemeFields({ theme, onTheme, error, isDisabled }: ThemeFieldsProps) {
  const text = useText(SETTINGS)
  return (
    <>
      <div className="theme-fields">
        {COLOURS.map(({ member, name }) => (
          <TextField
            key={member}
            label={text[name]}
            value={theme[member]}
            onValue={(value) => onTheme({ ...theme, [member]: value.trim() })}
            error={fieldError(error, `theme.${member}`)}
            before={
              <input
                type="color"
                className="swatch"
                aria-label={text.pick(text[name])}
                value={wholeColour(theme[member])}
                disabled={isDisabled}
                onChange={(event) => onTheme({ ...theme, [member]: event.target.value })}
              />
            }
            disabled={isDisabled}
            spellCheck={false}
            autoComplete="off"
            maxLength={7}
          />
        ))}
        <TextField
          label={text.radius}
          hint={text.radiusHint}
          type="number"
          min={0}
          max={24}
          value={theme.radius.replace('px', '')}
          onValue={(value) => onTheme({ ...theme, radius: `${value}px` })}
          error={fieldError(error, 'theme.radius')}
          disabled={isDisabled}
        />
        <SelectField
          label={text.font}
          value={theme.font}
          onValue={(value) => onTheme({ ...theme, font: value as Theme['font'] })}
          options={FONTS.map((value) => ({ value, label: text.fonts[value] }))}
          error={fieldError(error, 'theme.font')}
          disabled={isDisabled}
        />
      </div>
      <Contrast theme={theme} />
    </>
  )
}

/** Warns of text that some customers cannot read. */
function Contrast({ theme }: { theme: Theme }) {
  const text = useText(SETTINGS)
  const lowest = Math.min(
    contrast(theme.text, theme.surface) ?? CONTRAST_MIN,
    contrast(theme.text, theme.background) ?? CONTRAST_MIN,
  )
  if (lowest >= CONTRAST_MIN) return null
  return <Note tone="warning">{text.pale(text.ink, lowest.toFixed(1))}</Note>
}
