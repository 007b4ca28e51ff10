import type { Language } from '../text/language.ts'
import { LANGUAGES, listLanguages, setLanguage, useLanguage, useText } from '../text/language.ts'
import { Icon } from '../ui/icon.tsx'
import { SHELL } from './messages.ts'

/** Choice of the language: a button where there is one other language, else a list. */
export function LanguageChoice({ className, isShort = false }: { className: string; isShort?: boolean }) {
  const text = useText(SHELL)
  const language = useLanguage()
  const offered = listLanguages()
  const nameOf = (each: Language) => (isShort ? each.toUpperCase() : LANGUAGES[each])
  const [other = language, ...more] = offered.filter((each) => each !== language)
  if (more.length === 0) {
    return (
      <button
        type="button"
        className={className}
        lang={other}
        {...(isShort ? { 'aria-label': `${nameOf(other)}: ${LANGUAGES[other]}` } : {})}
        title={LANGUAGES[other]}
        onClick={() => void setLanguage(other)}
      >
        {nameOf(other)}
      </button>
    )
  }
  return (
    <span className={`${className} languages`}>
      {isShort ? null : <Icon name="globe" />}
      <span aria-hidden="true">{nameOf(language)}</span>
      <select
        aria-label={text.language}
        title={text.language}
        value={language}
        onChange={(event) => void setLanguage(event.target.value as Language)}
      >
        {offered.map((each) => (
          <option key={each} value={each} lang={each}>
            {LANGUAGES[each]}
          </option>
        ))}
      </select>
    </span>
  )
}
