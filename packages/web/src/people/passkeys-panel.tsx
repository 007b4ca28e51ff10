import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '../api/portal.generated.ts'
import { setSecondFactorMissing } from '../api/signals.ts'
import { whenText, ZONE_NAME } from '../text/dates.ts'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty, Loaded } from '../ui/loaded.tsx'
import { UI } from '../ui/messages.ts'
import { Panel } from '../ui/panel.tsx'
import { fieldError } from '../ui/problem.tsx'
import { useAction } from '../ui/use-action.ts'
import type { AccountApi } from './account-api.ts'
import { ACCOUNT } from './account-messages.ts'
import { PasskeyTrouble } from './passkey-button.tsx'
import { isAboutField, ProofFields, proofBody, useProof } from './proof-fields.tsx'
import { makePasskey, offersPasskeys } from './webauthn.ts'

type Open = 'add' | { readonly act: 'rename' | 'remove'; readonly passkey: Passkey } | undefined

/** Passkeys of a person: phones, computers and security keys that sign in without a password. */
export function PasskeysPanel({ api }: { api: AccountApi }) {
  const text = useText(ACCOUNT)
  const reading = api.usePasskeys()
  const asksCode = api.useFactor().data?.data.enabled ?? false
  const [open, setOpen] = useState<Open>(undefined)
  const close = () => setOpen(undefined)
  return (
    <Panel
      title={text.passkeys}
      about={ZONE_NAME}
      count={reading.data?.data.length || undefined}
      isFlush
      actions={
        offersPasskeys() ? (
          <Button size="sm" icon="plus" onClick={() => setOpen('add')}>
            {text.addPasskey}
          </Button>
        ) : undefined
      }
    >
      <Loaded
        reading={reading}
        bones={2}
        empty={
          <Empty
            icon="lock"
            title={text.noPasskeys}
            about={offersPasskeys() ? text.passkeysAbout : text.noPasskeysInBrowser}
          />
        }
      >
        {({ data }) => (
          <ul className="list">
            {data.map((passkey) => (
              <PasskeyLine key={passkey.id} passkey={passkey} onOpen={setOpen} />
            ))}
          </ul>
        )}
      </Loaded>
      {open === 'add' ? <AddPasskeyDialog api={api} asksCode={asksCode} onClose={close} /> : null}
      {typeof open === 'object' && open.act === 'rename' ? (
        <RenamePasskeyDialog api={api} passkey={open.passkey} onClose={close} />
      ) : null}
      {typeof open === 'object' && open.act === 'remove' ? (
        <RemovePasskeyDialog api={api} passkey={open.passkey} asksCode={asksCode} onClose={close} />
      ) : null}
    </Panel>
  )
}

function PasskeyLine({ passkey, onOpen }: { passkey: Passkey; onOpen: (open: Open) => void }) {
  const text = useText(ACCOUNT)
  const { label, created_at: created, last_used_at: used, is_backed_up: isBackedUp } = passkey
  return (
    <li className="wraps">
      <Icon name="lock" />
      <div className="t">
        <b className="strong">{label}</b>
        <small>
          {text.passkeyMade(whenText(created))} ·{' '}
          {used === null ? text.passkeyUnused : text.passkeyUsed(whenText(used))}
          {isBackedUp ? ` · ${text.backedUp}` : null}
        </small>
      </div>
      <span className="row">
        <Button
          size="sm"
          aria-label={`${text.rename}: ${label}`}
          onClick={() => onOpen({ act: 'rename', passkey })}
        >
          {text.rename}
        </Button>
        <Button
          size="sm"
          look="danger-quiet"
          aria-label={`${text.remove}: ${label}`}
          onClick={() => onOpen({ act: 'remove', passkey })}
        >
          {text.remove}
        </Button>
      </span>
    </li>
  )
}

type Props = { readonly api: AccountApi; readonly onClose: () => void }

const LABEL_LENGTH_MAX = 100

/** Registers a passkey: the person proves who they are, and the device makes it. */
function AddPasskeyDialog({ api, asksCode, onClose }: Props & { asksCode: boolean }) {
  const text = useText(ACCOUNT)
  const ui = useText(UI)
  const client = useQueryClient()
  const proof = useProof(asksCode)
  const [label, setLabel] = useState('')
  const isReady = proof.isReady && label.trim() !== ''
  const action = useAction({
    act: async () => {
      const { data } = await api.beginPasskey(proofBody(proof))
      const credential = await makePasskey(data)
      return api.createPasskey({ ceremony: data.ceremony, label: label.trim(), credential })
    },
    done: () => text.passkeyAdded,
    refresh: [api.keys.passkeys, api.keys.sessions],
    onDone: () => {
      setSecondFactorMissing(false)
      void client.invalidateQueries()
      onClose()
    },
  })
  return (
    <Dialog
      title={text.addPasskey}
      onClose={onClose}
      onSubmit={() => {
        if (isReady && !action.isBusy) action.run()
      }}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" look="primary" isBusy={action.isBusy} disabled={!isReady}>
            {text.addPasskey}
          </Button>
        </>
      }
    >
      <p className="mid">{text.addPasskeyAbout}</p>
      <TextField
        label={text.passkeyName}
        hint={text.passkeyNameHint}
        value={label}
        onValue={setLabel}
        maxLength={LABEL_LENGTH_MAX}
        autoComplete="off"
        error={fieldError(action.error, 'label')}
      />
      <ProofFields proof={proof} error={action.error} />
      {isAboutField(action.error, 'label', 'password', 'code') ? null : (
        <PasskeyTrouble error={action.error} />
      )}
    </Dialog>
  )
}

function RenamePasskeyDialog({ api, passkey, onClose }: Props & { passkey: Passkey }) {
  const text = useText(ACCOUNT)
  const [label, setLabel] = useState(passkey.label)
  const action = useAction({
    act: () => api.renamePasskey(passkey.id, label.trim()),
    done: () => text.passkeyRenamed,
    refresh: [api.keys.passkeys],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.renameTitle}
      isDangerous={false}
      action={text.rename}
      isBusy={action.isBusy}
      isReady={label.trim() !== ''}
      error={isAboutField(action.error, 'label') ? null : action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <TextField
        label={text.passkeyName}
        value={label}
        onValue={setLabel}
        maxLength={LABEL_LENGTH_MAX}
        autoComplete="off"
        error={fieldError(action.error, 'label')}
      />
    </ConfirmDialog>
  )
}

function RemovePasskeyDialog({
  api,
  passkey,
  asksCode,
  onClose,
}: Props & { passkey: Passkey; asksCode: boolean }) {
  const text = useText(ACCOUNT)
  const proof = useProof(asksCode)
  const action = useAction({
    act: () => api.deletePasskey(passkey.id, proofBody(proof)),
    done: () => text.passkeyRemoved,
    refresh: [api.keys.passkeys, api.keys.sessions],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.removeTitle(passkey.label)}
      action={text.remove}
      keep={text.keepPasskey}
      isBusy={action.isBusy}
      isReady={proof.isReady}
      error={isAboutField(action.error, 'password', 'code') ? null : action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.removeAbout}</p>
      <ProofFields proof={proof} error={action.error} />
    </ConfirmDialog>
  )
}
