import type { ReactNode } from 'react'
import { isStaging, switchTheme } from '../shell/device-panel.tsx'
import { LanguageChoice } from '../shell/language-choice.tsx'
import { useText } from '../text/language.ts'
import { Mark } from '../ui/icon.tsx'
import { Toasts } from '../ui/toast.tsx'
import { PEOPLE } from './messages.ts'
import './sign-in.css'

/** Frame of the pages that are shown without signing in. */
export function PublicPage({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  const text = useText(PEOPLE)
  return (
    <div className="signin">
      {isStaging() ? <div className="awning" aria-hidden="true" /> : null}
      <main className={aside === undefined ? 'si alone' : 'si'}>
        <section>
          <div className="brand">
            <Mark />
            <span>Warung</span>
          </div>
          {children}
        </section>
        {aside}
      </main>
      <footer className="si-foot">
        <a className="link" href="/docs">
          {text.documentation}
        </a>
        <span>{text.zone}</span>
        <button type="button" className="link" onClick={switchTheme}>
          {text.theme}
        </button>
        <LanguageChoice className="link" />
      </footer>
      <Toasts />
    </div>
  )
}
