import type { NetworkNotice } from '../../api/operator.generated.ts'
import { createNotice } from '../../api/operator-acts.generated.ts'
import { ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Segment } from '../../ui/field.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { ProductFinder } from '../parts/finders.tsx'
import { NOTICES } from './messages.ts'

type Target = NetworkNotice['target']

const TARGETS: readonly Target[] = ['product', 'category', 'provider']

export function noticeTargetOf(text: unknown): Target {
  return TARGETS.find((each) => each === text) ?? 'product'
}

type NewNoticeProps = { readonly target: Target; readonly code: string; readonly onClose: () => void }

export function NewNoticeDialog({ target: firstTarget, code: firstCode, onClose }: NewNoticeProps) {
  const text = useText(NOTICES)
  return (
    <ConsoleAct
      act={createNotice}
      title={text.addTitle}
      action={text.post}
      done={text.posted}
      refresh={['listNotices']}
      onClose={onClose}
      from={{ target: firstTarget, code: firstCode }}
      fields={(values) => {
        const target = noticeTargetOf(values.target)
        return {
          target: {
            label: text.target,
            draw: ({ onValue }) => (
              <div className="field">
                <div>
                  <Segment
                    label={text.target}
                    value={target}
                    onValue={(next) => onValue(next, { code: '' })}
                    options={TARGETS.map((value) => ({ value, label: text.targets[value] }))}
                  />
                </div>
                <span className="hint">{text.targetAbout[target]}</span>
              </div>
            ),
          },
          code:
            target === 'product'
              ? {
                  label: text.product,
                  draw: ({ value, onValue, error }) => (
                    <ProductFinder
                      label={text.product}
                      first={value === '' ? undefined : { value: String(value), label: String(value) }}
                      onCode={onValue}
                      error={error}
                    />
                  ),
                }
              : { label: text.code, hint: text.codeHint[target] },
          message: { label: text.message, hint: text.messageHint, rows: 2 },
          starts_at: {
            label: text.starts(ZONE_NAME),
            hint: text.startsHint,
            type: 'datetime-local',
            isHalf: true,
          },
          ends_at: { label: text.ends(ZONE_NAME), hint: text.endsHint, type: 'datetime-local' },
          stops_payments: { label: text.stops },
        }
      }}
    >
      <p className="mid">{text.addAbout}</p>
    </ConsoleAct>
  )
}
