import { CONTRAST_MIN, contrast } from '@warung/forms/theme'
import type { CSSProperties } from 'react'
import { useState } from 'react'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { isStaging } from '../../shell/device-panel.tsx'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, SelectField, TextAreaField, TextField } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMay, useMember } from '../session.ts'
import { OrdersHead } from './head.tsx'
import { SETTINGS } from './settings-messages.ts'
import type { CheckoutSettings, Theme } from './theme.ts'
import { FONTS, previewValues, wholeColour } from './theme.ts'

/** Settings of the checkout: its look, the sites that may show it, and what a rising cost does. */
export function Page() {
  const text = useText(SETTINGS)
  const reading = usePortal('portalGetCheckoutSettings', {})
  return (
    <>
      <OrdersHead about={text.about} />
      <Loaded reading={reading} bones={8}>
        {({ data }) => <SettingsForm saved={data} />}
      </Loaded>
    </>
  )
}

type Change = (changes: Partial<CheckoutSettings>) => void
type PartProps = {
  readonly draft: CheckoutSettings
  readonly change: Change
  readonly error: unknown
  readonly mayChange: boolean
}

function SettingsForm({ saved }: { saved: CheckoutSettings }) {
  const text = useText(SETTINGS)
  const mayChange = useMay('orders.write')
  const { reseller } = useMember()
  const [draft, setDraft] = useState(saved)
  const action = useAction({
    act: () => portal.call('portalPutCheckoutSettings', { body: cleaned(draft) }),
    done: () => text.saved,
    refresh: [portalKey('portalGetCheckoutSettings')],
    onDone: ({ data }) => setDraft(data),
  })
  const part: PartProps = {
    draft,
    change: (changes) => setDraft({ ...draft, ...changes }),
    error: action.error,
    mayChange,
  }
  return (
    <form
      className="grid c84"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (mayChange && !action.isBusy) action.run()
      }}
    >
      <div className="grid">
        <LookPanel {...part} />
        <OriginsPanel {...part} />
        <LossPanel {...part} />
        <ActionProblem error={action.error} />
        {mayChange ? (
          <div className="row">
            <Button type="submit" look="primary" isBusy={action.isBusy}>
              {text.save}
            </Button>
          </div>
        ) : null}
      </div>
      <div className="grid">
        <Panel title={text.preview} about={text.previewAbout}>
          <ThemePreview name={draft.display_name.trim() || reseller.name} theme={draft.theme} />
        </Panel>
        <Panel title={text.events}>
          <p className="mid">{text.eventsAbout}</p>
          <PageLink className="link" to="/portal/developers/webhooks/order">
            {text.toWebhook}
          </PageLink>
        </Panel>
      </div>
    </form>
  )
}

/** Settings without empty lines and spaces around. */
function cleaned(draft: CheckoutSettings): CheckoutSettings {
  return {
    ...draft,
    display_name: draft.display_name.trim(),
    allowed_origins: draft.allowed_origins.map((each) => each.trim()).filter((each) => each !== ''),
  }
}

function LookPanel({ draft, change, error, mayChange }: PartProps) {
  const text = useText(SETTINGS)
  return (
    <Panel title={text.look}>
      <TextField
        label={text.displayName}
        hint={text.displayNameHint}
        value={draft.display_name}
        onValue={(name) => change({ display_name: name })}
        error={fieldError(error, 'display_name')}
        maxLength={60}
        disabled={!mayChange}
      />
      <p className="sub small theme-about">{text.lookAbout}</p>
      <ThemeFields
        theme={draft.theme}
        onTheme={(theme) => change({ theme })}
        error={error}
        isDisabled={!mayChange}
      />
    </Panel>
  )
}

function OriginsPanel({ draft, change, error, mayChange }: PartProps) {
  const text = useText(SETTINGS)
  return (
    <Panel title={text.origins}>
      <TextAreaField
        label={text.originsLabel}
        hint={isStaging() ? text.originsHintStaging : text.originsHint}
        value={draft.allowed_origins.join('\n')}
        onValue={(lines) => change({ allowed_origins: lines.split('\n') })}
        error={originError(error)}
        rows={4}
        spellCheck={false}
        disabled={!mayChange}
      />
    </Panel>
  )
}

/** Message about the whole list, or about one of its lines. */
function originError(error: unknown): string | undefined {
  const lines = Array.from({ length: 21 }, (_, index) => `allowed_origins.${index}`)
  return ['allowed_origins', ...lines]
    .map((name) => fieldError(error, name))
    .find((message) => message !== undefined)
}

function LossPanel({ draft, change, mayChange }: PartProps) {
  const text = useText(SETTINGS)
  return (
    <Panel title={text.loss}>
      <Checkbox
        label={text.acceptsLoss}
        isOn={draft.accepts_loss}
        onToggle={(isOn) => change({ accepts_loss: isOn })}
        isDisabled={!mayChange}
      />
      {draft.accepts_loss ? (
        <Note tone="warning">{text.lossOn}</Note>
      ) : (
        <p className="sub small">{text.lossOff}</p>
      )}
    </Panel>
  )
}

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
function ThemeFields({ theme, onTheme, error, isDisabled }: ThemeFieldsProps) {
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

/** Picture of the checkout with a theme. It is made of the values as they are typed, before they are saved. */
function ThemePreview({ name, theme }: { name: string; theme: Theme }) {
  const text = useText(SETTINGS)
  const values = previewValues(theme) as CSSProperties
  return (
    <div className="theme-preview" role="img" aria-label={text.previewOf(name)} style={values}>
      <div className="shop" aria-hidden="true">
        <b>{name}</b>
        <div className="card">
          <div>
            <span>{text.sampleProduct}</span>
            <span>{text.samplePrice}</span>
          </div>
          <small>{text.sampleAccount}</small>
          <div className="all">
            <b>{text.total}</b>
            <b>{text.samplePrice}</b>
          </div>
          <span className="go">{text.pay}</span>
        </div>
      </div>
    </div>
  )
}
