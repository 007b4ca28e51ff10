import { usePortal } from '../../api/portal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Shape } from '../../ui/state.tsx'
import { CHECKLIST, STEP_PAGES } from '../developers/checklist.ts'

/** Checklist that ticks itself from real traffic. */
export function StartPanel() {
  const text = useText(CHECKLIST)
  const reading = usePortal('portalGetChecklist', {})
  const steps = reading.data?.data.steps ?? []
  const done = steps.filter(({ done_at: at }) => at !== null).length
  return (
    <Panel
      isFlush
      title={text.title}
      actions={
        <span className="meterline">
          {text.count(done, steps.length)}
          <Progress label={text.title} share={steps.length === 0 ? 0 : done / steps.length} />
        </span>
      }
    >
      <Loaded reading={reading}>
        {({ data }) => (
          <ul className="list steps">
            {data.steps.map(({ code, done_at: at }) => (
              <li key={code} className={at === null ? undefined : 'done'}>
                <Shape tone={at === null ? 'off' : 'ok'} isColoured />
                <div className="t">
                  <b>{text.steps[code]}</b>
                  <small>{at === null ? text.why[code] : whenText(at)}</small>
                </div>
                {at === null ? (
                  <PageLink className={buttonClass({ size: 'sm' })} to={STEP_PAGES[code]}>
                    {text.open}
                  </PageLink>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}
