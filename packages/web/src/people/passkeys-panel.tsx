import { useState } from 'react'
import type { Passkey } from '../api/portal.generated.ts'
import { whenText, ZONE_NAME } from '../text/dates.ts'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty, Loaded } from '../ui/loaded.tsx'
import { Panel } from '../ui/panel.tsx'
import type { AccountApi } from './account-api.ts'
import { ACCOUNT } from './account-messages.ts'
import { AddPasskeyDialog, RemovePasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'
import { offersPasskeys } from './webauthn.ts'

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
