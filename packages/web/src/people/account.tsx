import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Sessions } from '../api/portal.generated.ts'
import { useSecondFactorMissing } from '../api/signals.ts'
import { whenText, ZONE_NAME } from '../text/dates.ts'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Loaded } from '../ui/loaded.tsx'
import type { Fact } from '../ui/panel.tsx'
import { Facts, PageHead, Panel } from '../ui/panel.tsx'
import { Note } from '../ui/state.tsx'
import type { Column } from '../ui/table.tsx'
import { actionHead, Table } from '../ui/table.tsx'
import { useAction } from '../ui/use-action.ts'
import type { AccountApi } from './account-api.ts'
import { ACCOUNT } from './account-messages.ts'
import { FactorPanel } from './factor-panel.tsx'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import './account.css'

type AccountProps = {
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

type Session = Sessions['data'][number]

/** Places where the person is signed in. */
function SessionsPanel({ api }: { api: AccountApi }) {
  const text = useText(ACCOUNT)
  const reading = api.useSessions()
  const [ending, setEnding] = useState<Session | 'others' | undefined>(undefined)
  const columns = useColumns(setEnding)
  const hasOthers = (reading.data?.data ?? []).some((each) => !each.is_current)
  return (
    <Panel
      title={text.sessions}
      about={ZONE_NAME}
      count={reading.data?.data.length}
      isFlush
      actions={
        hasOthers ? (
          <Button size="sm" look="danger-quiet" onClick={() => setEnding('others')}>
            {text.endOthers}
          </Button>
        ) : undefined
      }
    >
      <Loaded reading={reading} bones={3}>
        {({ data }) => (
          <Table caption={text.sessions} columns={columns} rows={data} rowKey={(each) => each.id} />
        )}
      </Loaded>
      {ending === undefined ? null : (
        <EndDialog api={api} ending={ending} onClose={() => setEnding(undefined)} />
      )}
    </Panel>
  )
}

function useColumns(onEnd: (session: Session) => void): Column<Session>[] {
  const text = useText(ACCOUNT)
  const deviceOf = useDeviceName()
  return [
    {
      key: 'kind',
      head: <span className="hide">{text.kind}</span>,
      folded: 'shape',
      width: 42,
      cell: ({ device: { os } }) => (
        <Icon name={os !== null && /android|ios/i.test(os) ? 'phone' : 'globe'} />
      ),
    },
    {
      key: 'device',
      head: text.device,
      folded: 'name',
      cell: (each) => (
        <span title={each.user_agent}>
          {deviceOf(each)} {each.is_current ? <span className="tag">{text.thisOne}</span> : null}
        </span>
      ),
    },
    {
      key: 'address',
      head: text.address,
      folded: 'detail',
      cell: (each) => <span className="mono">{each.address}</span>,
    },
    { key: 'how', head: text.how, cell: (each) => text.signedInWith[each.signed_in_with] },
    { key: 'since', head: text.signedIn, rank: 2, cell: (each) => whenText(each.created_at) },
    { key: 'seen', head: text.lastSeen, folded: 'time', cell: (each) => whenText(each.last_seen_at) },
    {
      ...actionHead(text.endSession),
      cell: (each) =>
        each.is_current ? null : (
          <Button
            size="sm"
            aria-label={`${text.endSession}: ${deviceOf(each)}, ${each.address}`}
            onClick={() => onEnd(each)}
          >
            {text.endSession}
          </Button>
        ),
    },
  ]
}

function useDeviceName(): (session: Session) => string {
  const text = useText(ACCOUNT)
  return ({ device: { browser, os } }) => {
    if (browser === null && os === null) return text.unknownDevice
    return text.deviceName(browser ?? text.unknownBrowser, os ?? text.unknownSystem)
  }
}

function EndDialog({
  api,
  ending,
  onClose,
}: {
  api: AccountApi
  ending: Session | 'others'
  onClose: () => void
}) {
  const text = useText(ACCOUNT)
  const deviceOf = useDeviceName()
  const action = useAction<void, unknown>({
    act: () => (ending === 'others' ? api.endOtherSessions() : api.endSession(ending.id)),
    done: () => (ending === 'others' ? text.othersEnded : text.sessionEnded),
    refresh: [api.keys.sessions],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={ending === 'others' ? text.endOthersTitle : text.endTitle(deviceOf(ending))}
      action={ending === 'others' ? text.endOthers : text.endSession}
      isBusy={action.isBusy}
      error={action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.endAbout}</p>
    </ConfirmDialog>
  )
}
