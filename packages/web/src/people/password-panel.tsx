import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { openLive, setLive } from '../api/live.ts'
import { useText } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { UI } from '../ui/messages.ts'
import { Panel } from '../ui/panel.tsx'
import { ActionProblem, fieldError } from '../ui/problem.tsx'
import { useAction } from '../ui/use-action.ts'
import type { AccountApi, NewSession } from './account-api.ts'
import { ACCOUNT } from './account-messages.ts'
import { isSamePassword, NewPasswordFields } from './set-password.tsx'

export function PasswordPanel({ api }: { api: AccountApi }) {
  const text = useText(ACCOUNT)
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title={text.password}
      actions={
        <Button size="sm" onClick={() => setOpen(true)}>
          {text.changePassword}
        </Button>
      }
    >
      <p className="mid">{text.passwordAbout}</p>
      {isOpen ? <PasswordDialog api={api} onClose={() => setOpen(false)} /> : null}
    </Panel>
  )
}

function PasswordDialog({ api, onClose }: { api: AccountApi; onClose: () => void }) {
  const text = useText(ACCOUNT)
  const ui = useText(UI)
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [wasSent, setSent] = useState(false)
  const action = useAction({
    act: () => changeInNewSession(api, { current_password: current, password }),
    done: () => text.passwordChanged,
    refresh: [api.keys.sessions],
    onDone: (session) => {
      client.setQueryData(api.keys.session, session)
      onClose()
    },
  })
  const errors = ['current_password', 'password'].map((name) => fieldError(action.error, name))
  const submit = () => {
    setSent(true)
    if (!action.isBusy && current !== '' && isSamePassword(password, repeated)) action.run()
  }
  return (
    <Dialog
      title={text.changePassword}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" look="primary" isBusy={action.isBusy}>
            {text.changePassword}
          </Button>
        </>
      }
    >
      <p className="mid">{text.passwordEnds}</p>
      <TextField
        label={text.currentPassword}
        type="password"
        value={current}
        onValue={setCurrent}
        autoComplete="current-password"
        error={errors[0] ?? (wasSent && current === '' ? text.currentMissing : undefined)}
      />
      <NewPasswordFields
        password={password}
        repeated={repeated}
        onPassword={setPassword}
        onRepeated={setRepeated}
        wasSent={wasSent}
        error={errors[1]}
      />
      {errors.every((each) => each === undefined) ? <ActionProblem error={action.error} /> : null}
    </Dialog>
  )
}

/**
 * Changes the password. All sessions end and this page gets a new one: the stream of events is closed before, so that
 * the end of the old session does not lead to the sign-in page.
 */
async function changeInNewSession(
  api: AccountApi,
  body: Parameters<AccountApi['changePassword']>[0],
): Promise<NewSession> {
  setLive(undefined)
  try {
    const session = await api.changePassword(body)
    api.setCsrfToken(session.csrf_token)
    return session
  } finally {
    setLive(openLive(api.live))
  }
}
