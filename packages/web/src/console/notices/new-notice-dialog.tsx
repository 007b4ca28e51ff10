import { useState } from 'react'
import type { NetworkNotice } from '../../api/operator.generated.ts'
import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { useDelayed } from '../../shell/use-delayed.ts'
import { ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import type { ComboOption } from '../../ui/combobox.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Checkbox, Segment, TextAreaField, TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ReasonField } from '../parts/reason-dialog.tsx'
import { NOTICES } from './messages.ts'

type Target = NetworkNotice['target']

const TARGETS: readonly Target[] = ['product', 'category', 'provider']

export function noticeTargetOf(text: string | undefined): Target {
  return TARGETS.find((each) => each === text) ?? 'product'
}

/** Moment of a field whose time is meant in GMT+8. */
function momentOf(local: string): string {
  return `${local}:00+08:00`
}

type NewNoticeProps = { readonly target: Target; readonly code: string; readonly onClose: () => void }

export function NewNoticeDialog({ target: firstTarget, code: firstCode, onClose }: NewNoticeProps) {
  const text = useText(NOTICES)
  const [target, setTarget] = useState<Target>(firstTarget)
  const [code, setCode] = useState(firstCode)
  const [message, setMessage] = useState('')
  const [starts, setStarts] = useState('')
  const [ends, setEnds] = useState('')
  const [isStopping, setStopping] = useState(false)
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () =>
      operator.call('createNotice', {
        body: {
          target,
          code: code.trim(),
          message: message.trim(),
          stops_payments: isStopping,
          reason: reason.trim(),
          ...(starts === '' ? {} : { starts_at: momentOf(starts) }),
          ...(ends === '' ? {} : { ends_at: momentOf(ends) }),
        },
      }),
    done: () => text.posted,
    refresh: [operatorKey('listNotices')],
    onDone: onClose,
  })
  const { error } = action
  return (
    <ConfirmDialog
      title={text.addTitle}
      isDangerous={false}
      action={text.post}
      isBusy={action.isBusy}
      error={error}
      isReady={[code, message, reason].every((each) => each.trim() !== '')}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.addAbout}</p>
      <div className="field">
        <div>
          <Segment
            label={text.target}
            value={target}
            onValue={(next) => {
              setTarget(next)
              setCode('')
            }}
            options={TARGETS.map((value) => ({ value, label: text.targets[value] }))}
          />
        </div>
        <span className="hint">{text.targetAbout[target]}</span>
      </div>
      <CodeField target={target} code={code} onCode={setCode} error={fieldError(error, 'code')} />
      <TextAreaField
        label={text.message}
        hint={text.messageHint}
        error={fieldError(error, 'message')}
        rows={2}
        maxLength={500}
        value={message}
        onValue={setMessage}
      />
      <div className="two-fields">
        <TextField
          label={text.starts(ZONE_NAME)}
          hint={text.startsHint}
          error={fieldError(error, 'starts_at')}
          type="datetime-local"
          value={starts}
          onValue={setStarts}
        />
        <TextField
          label={text.ends(ZONE_NAME)}
          hint={text.endsHint}
          error={fieldError(error, 'ends_at')}
          type="datetime-local"
          value={ends}
          onValue={setEnds}
        />
      </div>
      <Checkbox label={text.stops} isOn={isStopping} onToggle={setStopping} />
      <ReasonField value={reason} onValue={setReason} error={error} />
    </ConfirmDialog>
  )
}

type CodeFieldProps = {
  readonly target: Target
  readonly code: string
  readonly onCode: (code: string) => void
  readonly error: string | undefined
}

function CodeField({ target, code, onCode, error }: CodeFieldProps) {
  const text = useText(NOTICES)
  if (target === 'product') return <ProductField code={code} onCode={onCode} error={error} />
  return (
    <TextField
      label={text.code}
      hint={text.codeHint[target]}
      error={error}
      autoComplete="off"
      spellCheck={false}
      value={code}
      onValue={onCode}
    />
  )
}

const FOUND_MAX = 20

function ProductField({ code, onCode, error }: Omit<CodeFieldProps, 'target'>) {
  const text = useText(NOTICES)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ComboOption | undefined>(
    code === '' ? undefined : { value: code, label: code },
  )
  const asked = useDelayed(search.trim())
  const found = useOperator(
    'listCatalogueProducts',
    { query: { limit: FOUND_MAX, ...(asked === '' ? {} : { search: asked }) } },
    { keepsFormer: true },
  )
  return (
    <Combobox
      label={text.product}
      chosen={chosen}
      onChoose={(option) => {
        setChosen(option)
        onCode(option?.value ?? '')
      }}
      search={search}
      onSearch={setSearch}
      options={(found.data?.data ?? []).map((each) => ({
        value: each.code,
        label: each.name,
        detail: each.code,
      }))}
      isReading={found.isFetching}
      error={error}
    />
  )
}
