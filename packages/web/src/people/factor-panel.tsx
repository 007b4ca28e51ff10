import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SecondFactor, SecondFactorSecret } from '../api/portal.generated.ts'
import { setSecondFactorMissing } from '../api/signals.ts'
import { dateTimeText, ZONE_NAME } from '../text/dates.ts'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { ConfirmDialog, Dialog, SecretDialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { UI } from '../ui/messages.ts'
import { Facts, Panel } from '../ui/panel.tsx'
import { ActionProblem, fieldError } from '../ui/problem.tsx'
import { Note, State } from '../ui/state.tsx'
import { useAction } from '../ui/use-action.ts'
import type { AccountApi } from './account-api.ts'
import { ACCOUNT } from './account-messages.ts'
import { isAboutField, ProofFields, useProof } from './proof-fields.tsx'
import { QrCode } from './qr-code.tsx'

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

type Props = { readonly api: AccountApi; readonly onClose: () => void }
type CodesProps = Props & { readonly onCodes: (codes: readonly string[]) => void }

/** Sets up an authenticator app: the password, then the secret and a first code. */
function EnrolDialog(props: CodesProps) {
  const text = useText(ACCOUNT)
  const proof = useProof(false)
  const [secret, setSecret] = useState<SecondFactorSecret['data'] | undefined>(undefined)
  const action = useAction({
    act: () => props.api.enrol(proof.password),
    onDone: ({ data }) => setSecret(data),
  })
  if (secret !== undefined) return <ConfirmFactorDialog {...props} secret={secret} />
  return (
    <ConfirmDialog
      title={text.setUpTitle}
      isDangerous={false}
      action={text.next}
      isBusy={action.isBusy}
      isReady={proof.isReady}
      error={isAboutField(action.error, 'password') ? null : action.error}
      onConfirm={() => action.run()}
      onClose={props.onClose}
    >
      <p className="mid">{text.setUpAbout}</p>
      <ProofFields proof={proof} error={action.error} />
    </ConfirmDialog>
  )
}

function ConfirmFactorDialog({
  api,
  onClose,
  onCodes,
  secret,
}: CodesProps & { secret: SecondFactorSecret['data'] }) {
  const text = useText(ACCOUNT)
  const ui = useText(UI)
  const client = useQueryClient()
  const [code, setCode] = useState('')
  const action = useAction({
    act: () => api.confirmFactor(code.trim()),
    done: () => text.factorOn,
    refresh: [api.keys.factor, api.keys.session],
    onDone: ({ data }) => {
      setSecondFactorMissing(false)
      void client.invalidateQueries()
      onCodes(data.recovery_codes)
    },
  })
  return (
    <Dialog
      title={text.scanTitle}
      onClose={onClose}
      onSubmit={() => {
        if (!action.isBusy && code.trim() !== '') action.run()
      }}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" look="primary" isBusy={action.isBusy} disabled={code.trim() === ''}>
            {text.turnOn}
          </Button>
        </>
      }
    >
      <p className="mid">{text.scanAbout}</p>
      <QrCode value={secret.otpauth_uri} label={text.qrLabel} />
      <div className="field">
        <span className="l">{text.secret}</span>
        <div className="input secret">
          <output className="mono wrap-any" aria-label={text.secret}>
            {secret.secret}
          </output>
          <CopyButton value={secret.secret} />
        </div>
      </div>
      <TextField
        label={text.firstCode}
        hint={text.firstCodeHint}
        value={code}
        onValue={setCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        error={fieldError(action.error, 'code')}
      />
      {isAboutField(action.error, 'code') ? null : <ActionProblem error={action.error} />}
    </Dialog>
  )
}

/** Recovery codes, this one time. */
function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = useText(ACCOUNT)
  return (
    <SecretDialog title={text.codesTitle} about={text.codesAbout} secrets={[]} onClose={onClose}>
      <ul className="codes mono" aria-label={text.codesTitle}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="row">
        <CopyButton value={codes.join('\n')} label={text.copyAll} />
      </div>
    </SecretDialog>
  )
}

function RenewDialog({ api, onClose, onCodes }: CodesProps) {
  const text = useText(ACCOUNT)
  const proof = useProof(true)
  const action = useAction({
    act: () => api.renewCodes({ password: proof.password, code: proof.code }),
    done: () => text.codesRenewed,
    refresh: [api.keys.factor],
    onDone: ({ data }) => onCodes(data.recovery_codes),
  })
  return (
    <ConfirmDialog
      title={text.renewTitle}
      isDangerous={false}
      action={text.renewCodes}
      isBusy={action.isBusy}
      isReady={proof.isReady}
      error={isAboutField(action.error, 'password', 'code') ? null : action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.renewAbout}</p>
      <ProofFields proof={proof} error={action.error} />
    </ConfirmDialog>
  )
}

function DisableDialog({ api, onClose }: Props) {
  const text = useText(ACCOUNT)
  const proof = useProof(true)
  const action = useAction({
    act: () => api.disableFactor({ password: proof.password, code: proof.code }),
    done: () => text.factorOff,
    refresh: [api.keys.factor, api.keys.session],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.disableTitle}
      action={text.turnOff}
      keep={text.keepFactor}
      isBusy={action.isBusy}
      isReady={proof.isReady}
      error={isAboutField(action.error, 'password', 'code') ? null : action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.disableAbout}</p>
      <ProofFields proof={proof} error={action.error} />
    </ConfirmDialog>
  )
}
