import { setLanguage, useLanguage, useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Panel } from '../ui/panel.tsx'
import { SHELL } from './messages.ts'
import { switchTheme } from './theme.ts'

/** Theme, language and signing out, for phones: they have no side column. */
export function DevicePanel({ onSignOut, isBusy }: { onSignOut: () => void; isBusy: boolean }) {
  const text = useText(SHELL)
  const other = useLanguage() === 'en' ? 'ms' : 'en'
  return (
    <Panel>
      <div className="stack tight">
        <Button isWide icon="moon" onClick={switchTheme}>
          {text.theme}
        </Button>
        <Button isWide icon="globe" lang={other} onClick={() => setLanguage(other)}>
          {text.language}
        </Button>
        <Button isWide icon="arrow" isBusy={isBusy} onClick={onSignOut}>
          {text.signOut}
        </Button>
      </div>
    </Panel>
  )
}
