import { useState } from 'react'
import type { ListedAPIKey as APIKey, NewAPIKey } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Note, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useMay } from '../session.ts'
import {
  ChangeKeyDialog,
  keyName,
  MakeKeyDialog,
  NewKeyDialog,
  RevokeKeyDialog,
  RotateKeyDialog,
  shortKey,
} from './key-dialogs.tsx'
import { KeyPurpose } from './key-purpose.tsx'
import { KEYS } from './messages.ts'
import { PURPOSE } from './purpose-messages.ts'
import { DevelopersHead } from './tabs.tsx'

const TONES: Readonly<Record<APIKey['state'], Tone>> = {
  active: 'ok',
  in_grace: 'wait',
  expired: 'off',
  revoked: 'off',
}

type Open =
  | { readonly what: 'make' }
  | { readonly what: 'change' | 'rotate' | 'revoke'; readonly key: APIKey }
  | { readonly what: 'made'; readonly key: NewAPIKey }

/** Keys of the programs that call the API. */
export function Page() {
  const text = useText(KEYS)
  const mayChange = useMay('developers.write')
  const reading = usePortal('portalListKeys', {})
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const columns = useColumns(mayChange, setOpen)
  const close = () => setOpen(undefined)
  const showMade = (key: NewAPIKey) => setOpen({ what: 'made', key })
  const make = (
    <Button look="primary" icon="plus" onClick={() => setOpen({ what: 'make' })}>
      {text.make}
    </Button>
  )
  return (
    <>
      <DevelopersHead about={text.about} actions={mayChange ? make : undefined} />
      {mayChange ? null : <Note tone="info">{text.viewer}</Note>}
      <Panel isFlush>
        <Loaded
          reading={reading}
          bones={5}
          empty={
            <Empty
              icon="lock"
              title={text.none}
              about={text.noneAbout}
              action={mayChange ? make : undefined}
            />
          }
        >
          {({ data }) => (
            <Table
              caption={text.caption}
              columns={columns}
              rows={sorted(data)}
              rowKey={({ id }) => id}
              rowClass={({ state }) => (state === 'expired' || state === 'revoked' ? 'is-past' : undefined)}
            />
          )}
        </Loaded>
      </Panel>
      {open?.what === 'make' ? <MakeKeyDialog onMade={showMade} onClose={close} /> : null}
      {open?.what === 'change' ? <ChangeKeyDialog apiKey={open.key} onClose={close} /> : null}
      {open?.what === 'rotate' ? (
        <RotateKeyDialog apiKey={open.key} onMade={showMade} onClose={close} />
      ) : null}
      {open?.what === 'revoke' ? <RevokeKeyDialog apiKey={open.key} onClose={close} /> : null}
      {open?.what === 'made' ? <NewKeyDialog made={open.key} onClose={close} /> : null}
    </>
  )
}

/** Keys that work stand first, newest first. */
function sorted(keys: readonly APIKey[]): APIKey[] {
  const rank = ({ state }: APIKey) => (state === 'active' ? 0 : state === 'in_grace' ? 1 : 2)
  return [...keys].sort((a, b) => rank(a) - rank(b) || b.created_at.localeCompare(a.created_at))
}

function useColumns(mayChange: boolean, open: (next: Open) => void): readonly Column<APIKey>[] {
  const text = useText(KEYS)
  const purpose = useText(PURPOSE)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 190,
      cell: (key) => <KeyState apiKey={key} />,
    },
    {
      key: 'name',
      head: text.name,
      folded: 'name',
      className: 'cut',
      cell: ({ label }) =>
        label === '' ? (
          <span className="sub">{text.unnamed}</span>
        ) : (
          <span className="mid-weight">{label}</span>
        ),
    },
    {
      key: 'key',
      head: text.key,
      folded: 'detail',
      className: 'nowrap',
      cell: ({ key, has_secret: hasSecret }) => (
        <>
          <span className="mono">{shortKey(key)}</span>
          {hasSecret ? null : <span className="sub"> {text.noSecret}</span>}
        </>
      ),
    },
    {
      key: 'scopes',
      head: text.scopesHead,
      rank: 2,
      cell: ({ scopes }) => (
        <span className="scope-tags">
          {scopes.map((scope) => (
            <span className="tag" key={scope}>
              {text.scopes[scope]}
            </span>
          ))}
        </span>
      ),
    },
    {
      key: 'purpose',
      head: purpose.head,
      rank: 2,
      cell: (key) => <KeyPurpose apiKey={key} />,
    },
    {
      key: 'made',
      head: text.made,
      folded: 'time',
      className: 'nowrap',
      cell: ({ created_at: at, state }) => (
        <>
          <span className="pw">{text.states[state]}</span>
          {whenText(at)}
        </>
      ),
    },
    {
      key: 'used',
      head: text.used,
      rank: 2,
      className: 'nowrap',
      cell: ({ last_used_at: at }) =>
        at === null ? <span className="sub">{text.neverUsed}</span> : whenText(at),
    },
    ...(mayChange
      ? [
          {
            key: 'actions',
            head: '',
            isRight: true,
            folded: 'amount' as const,
            cell: (key: APIKey) => <KeyActions apiKey={key} open={open} />,
          },
        ]
      : []),
  ]
}

function KeyState({ apiKey }: { apiKey: APIKey }) {
  const text = useText(KEYS)
  const { state, expires_at: expiresAt, revoked_at: revokedAt } = apiKey
  return (
    <>
      <State tone={TONES[state]}>{text.states[state]}</State>
      {state === 'in_grace' && expiresAt !== null ? (
        <small className="under w">{text.until(whenText(expiresAt))}</small>
      ) : state === 'revoked' && revokedAt !== null ? (
        <small className="under w">{text.since(whenText(revokedAt))}</small>
      ) : null}
    </>
  )
}

function KeyActions({ apiKey, open }: { apiKey: APIKey; open: (next: Open) => void }) {
  const text = useText(KEYS)
  const purpose = useText(PURPOSE)
  const name = keyName(apiKey)
  if (apiKey.state === 'revoked') return null
  const change = (
    <Button
      size="sm"
      aria-label={text.ofKey(purpose.change, name)}
      onClick={() => open({ what: 'change', key: apiKey })}
    >
      {purpose.change}
    </Button>
  )
  if (apiKey.state === 'expired') return change
  return (
    <span className="row tight-acts">
      {change}
      {apiKey.state === 'active' ? (
        <Button
          size="sm"
          aria-label={text.ofKey(text.rotate, name)}
          onClick={() => open({ what: 'rotate', key: apiKey })}
        >
          {text.rotate}
        </Button>
      ) : null}
      <Button
        size="sm"
        look="danger-quiet"
        aria-label={text.ofKey(text.revoke, name)}
        onClick={() => open({ what: 'revoke', key: apiKey })}
      >
        {text.revoke}
      </Button>
    </span>
  )
}
