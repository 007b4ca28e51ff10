import type { ReactNode } from 'react'
import { useSecondFactorMissing } from '../api/second-factor.ts'
import { useText } from '../text/language.ts'
import type { Fact } from '../ui/panel.tsx'
import { Facts, PageHead, Panel } from '../ui/panel.tsx'
import { Note } from '../ui/state.tsx'
import type { AccountApi } from './account-api.ts'
import { ACCOUNT } from './account-messages.ts'
import { FactorPanel } from './factor-panel.tsx'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'
import './account.css'

export type AccountProps = {
  readonly api: AccountApi
  readonly facts: readonly (Fact | undefined)[]
  /** Panels that one entry alone has. */
  readonly children?: ReactNode
}

/** Page of a person about themselves: who they are, how they sign in, and where they are signed in. */
export function Account({ api, facts, children }: AccountProps) {
  const text = useText(ACCOUNT)
  const isKeptOut = useSecondFactorMissing()
  return (
    <>
      <PageHead title={text.title} about={text.about} />
      <div className="grid account">
        {isKeptOut ? (
          <div role="alert">
            <Note tone="warning">
              <b>{text.factorNeeded}</b> {text.factorNeededAbout}
            </Note>
          </div>
        ) : null}
        <div className="grid c2">
          <div className="grid">
            <Panel title={text.you}>
              <Facts facts={facts} />
            </Panel>
            {isKeptOut ? null : <PasswordPanel api={api} />}
          </div>
          <div className="grid">
            <FactorPanel api={api} />
            <PasskeysPanel api={api} />
          </div>
        </div>
        {isKeptOut ? null : (
          <>
            <SessionsPanel api={api} />
            {children}
          </>
        )}
      </div>
    </>
  )
}
