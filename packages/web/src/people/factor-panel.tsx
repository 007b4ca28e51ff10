import { useState } from 'react'
import type { SecondFactor } from '../api/portal.generated.ts'
import { dateTimeText, ZONE_NAME } from '../text/dates.ts'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Facts, Panel } from '../ui/panel.tsx'
import { Note, State } from '../ui/state.tsx'
import type { AccountApi } from './account-api.ts'
import { ACCOUNT } from './account-messages.ts'
import { DisableDialog, EnrolDialog, RecoveryCodesDialog, RenewDialog } from './factor-dialogs.tsx'

type Open = 'enrol' | 'renew' | 'disable' | { readonly codes: readonly string[] } | undefined

const FEW_CODES = 3

/** Second factor by an authenticator app. */
export function FactorPanel({ api }: { api: AccountApi }) {
  const text = useText(ACCOUNT)
  const reading = api.useFactor()
  const [open, setOpen] = useState<Open>(undefined)
  const close = () => setOpen(undefined)
  const showCodes = (codes: readonly string[]) => setOpen({ codes })
  return (
    <Panel title={text.factor} actions={<FactorActions factor={reading.data?.data} onOpen={setOpen} />}>
      <Loaded reading={reading} bones={2}>
        {({ data }) => (data.enabled ? <Enabled factor={data} /> : <p className="mid">{text.factorAbout}</p>)}
      </Loaded>
      {open === 'enrol' ? <EnrolDialog api={api} onClose={close} onCodes={showCodes} /> : null}
      {open === 'renew' ? <RenewDialog api={api} onClose={close} onCodes={showCodes} /> : null}
      {open === 'disable' ? <DisableDialog api={api} onClose={close} /> : null}
      {typeof open === 'object' ? <RecoveryCodesDialog codes={open.codes} onClose={close} /> : null}
    </Panel>
  )
}

type Factor = SecondFactor['data']

function FactorActions({ factor, onOpen }: { factor: Factor | undefined; onOpen: (open: Open) => void }) {
  const text = useText(ACCOUNT)
  if (factor === undefined) return null
  if (!factor.enabled) {
    return (
      <Button size="sm" look="primary" onClick={() => onOpen('enrol')}>
        {text.setUp}
      </Button>
    )
  }
  return (
    <>
      <Button size="sm" onClick={() => onOpen('renew')}>
        {text.renewCodes}
      </Button>
      <Button size="sm" look="danger-quiet" onClick={() => onOpen('disable')}>
        {text.turnOff}
      </Button>
    </>
  )
}

function Enabled({ factor }: { factor: Factor }) {
  const text = useText(ACCOUNT)
  const { confirmed_at: since, recovery_codes_left: left } = factor
  return (
    <div className="stack tight">
      <Facts
        facts={[
          { term: text.state, value: <State tone="ok">{text.on}</State> },
          since === null ? undefined : { term: text.since, value: `${dateTimeText(since)} ${ZONE_NAME}` },
          { term: text.codesLeft, value: left },
        ]}
      />
      {left <= FEW_CODES ? <Note tone="warning">{text.fewCodes}</Note> : null}
    </div>
  )
}
