import type { CSSProperties } from 'react'
import { useText } from '../../text/language.ts'
import { SETTINGS } from './settings-messages.ts'
import type { Theme } from './theme.ts'
import { previewValues } from './theme.ts'

/** Picture of the checkout with a theme. It is made of the values as they are typed, before they are saved. */
export function ThemePreview({ name, theme }: { name: string; theme: Theme }) {
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
