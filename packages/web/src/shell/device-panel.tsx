import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/panel.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { SHELL } from './messages.ts'

/** Theme, language and signing out, for phones: they have no side column. */
export function DevicePanel({ onSignOut, isBusy }: { onSignOut: () => void; isBusy: boolean }) {
  const text = useText(SHELL)
  return (
    <Panel>
      <div className="stack tight">
        <Button isWide icon="moon" onClick={switchTheme}>
          {text.theme}
        </Button>
        <LanguageChoice className="btn wide" />
        <Button isWide icon="arrow" isBusy={isBusy} onClick={onSignOut}>
          {text.signOut}
        </Button>
      </div>
    </Panel>
  )
}

const STORED_AS = 'warung.theme'

/** Changes between light and dark, and keeps the choice in this browser. */
export function switchTheme(): void {
  const root = document.documentElement
  const isDark = root.dataset.theme === 'dark' || (root.dataset.theme === undefined && prefersDark())
  root.dataset.theme = isDark ? 'light' : 'dark'
  try {
    localStorage.setItem(STORED_AS, root.dataset.theme)
  } catch {
    // A browser that stores nothing keeps the choice until the tab closes.
  }
}

function prefersDark(): boolean {
  return matchMedia('(prefers-color-scheme: dark)').matches
}

/** Environment of the service; the page's frame carries it, so that it is known before anybody signs in. */
export function isStaging(): boolean {
  return document.documentElement.dataset.environment === 'staging'
}
