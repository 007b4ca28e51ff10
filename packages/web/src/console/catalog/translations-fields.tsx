import { isLanguage } from '@warung/forms/texts'
import { useState } from 'react'
import { LANGUAGES, useText } from '../../text/language.ts'
import { SelectField, TextAreaField } from '../../ui/field.tsx'
import { CATALOG } from './messages.ts'
import type { ProductFile } from './product-document.ts'

type ProductText = ProductFile['texts'][number]

/** Translations that were typed, by language and text. */
export type EditedTexts = ReadonlyMap<string, Pick<ProductText, 'language' | 'text' | 'translation'>>

type Props = {
  readonly texts: readonly ProductText[]
  readonly edited: EditedTexts
  readonly onEdited: (edited: EditedTexts) => void
}

/** Texts of a product, in one language at a time. */
export function TranslationsFields({ texts, edited, onEdited }: Props) {
  const words = useText(CATALOG)
  const offered = [...new Set(texts.map(({ language }) => language))]
  const [language, setLanguage] = useState(offered[0])
  if (language === undefined) return null
  return (
    <details>
      <summary>{words.translations}</summary>
      <div className="stack">
        <SelectField
          label={words.language}
          hint={words.translationsHint}
          value={language}
          options={offered.map((value) => ({ value, label: isLanguage(value) ? LANGUAGES[value] : value }))}
          onValue={(value) => setLanguage(offered.find((each) => each === value))}
        />
        {texts
          .filter((each) => each.language === language)
          .map(({ text, translation, shared }) => {
            const key = `${language}\n${text}`
            const known = edited.has(key) ? edited.get(key)?.translation : translation
            return (
              <TextAreaField
                key={key}
                label={text}
                lang={language}
                rows={1}
                hint={shared === null ? undefined : words.shared(shared)}
                value={known ?? ''}
                maxLength={2000}
                onValue={(value) =>
                  onEdited(
                    new Map(edited).set(key, {
                      language,
                      text,
                      translation: value.trim() === '' ? null : value.trim(),
                    }),
                  )
                }
              />
            )
          })}
      </div>
    </details>
  )
}
