import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Panel } from '../../ui/panel.tsx'
import { Shape } from '../../ui/state.tsx'
import { OVERVIEW } from './messages.ts'

/** Cases that wait, the first to be due first. */
export function CasesPanel({ cases }: { cases: NonNullable<OperatorOverview['cases']> }) {
  const text = useText(OVERVIEW)
  return (
    <Panel
      isFlush
      title={text.cases}
      count={cases.open || undefined}
      actions={
        <PageLink className="link" to="/operator/cases">
          {text.all}
        </PageLink>
      }
    >
      {cases.first.length === 0 ? (
        <p className="in sub small">{text.casesNone}</p>
      ) : (
        <ul className="list">
          {cases.first.map((each) => (
            <li key={each.number}>
              <Shape tone={each.is_overdue ? 'critical' : 'wait'} isColoured />
              <div className="t">
                <PageLink className="mid-weight" to={`/operator/cases/${each.number}`}>
                  {text.caseKind[each.kind]} <span className="mono">{each.number}</span>
                </PageLink>
                <small>
                  {each.reseller} · <span className="mono">{each.refid}</span>
                </small>
              </div>
              <span className={each.is_overdue ? 'bad small' : 'sub small'}>
                {each.is_overdue
                  ? text.overdue(durationText(Date.now() - Date.parse(each.due_at)))
                  : text.due(whenText(each.due_at))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
