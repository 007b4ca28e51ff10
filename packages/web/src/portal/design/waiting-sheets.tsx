import { ApiProblem } from '../../api/errors.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Bones, Empty } from '../../ui/loaded.tsx'
import { Progress } from '../../ui/panel.tsx'
import { ActionProblem, ProblemPanel } from '../../ui/problem.tsx'
import { DESIGN } from './messages.ts'
import { Sheet } from './sheet.tsx'

export function WaitingSheets() {
  const text = useText(DESIGN)
  const refused = new ApiProblem(text.tooLong, { status: 503, code: 'timeout', requestId: '0d5c9a1e' })
  const unknown = new ApiProblem('', { status: 0, code: 'no_answer' })
  return (
    <>
      <Sheet title={text.empty} about={text.emptyAbout} width={2}>
        <div className="panel">
          <Empty
            title={text.noFailed}
            about={text.noFailedAbout}
            action={<Button size="sm">{text.clearFilters}</Button>}
          />
        </div>
      </Sheet>
      <Sheet title={text.loading} about={text.loadingAbout} width={2}>
        <div className="panel">
          <Bones rows={4} />
        </div>
      </Sheet>
      <Sheet title={text.error} about={text.errorAbout} width={2}>
        <div className="panel">
          <ProblemPanel error={refused} title={text.notRead} onRetry={() => {}} />
        </div>
      </Sheet>
      <Sheet title={text.notKnown} about={text.notKnownAbout}>
        <div className="stack tight">
          <ActionProblem error={unknown} />
          <ActionProblem error={refused} />
        </div>
      </Sheet>
      <Sheet title={text.longWork} about={text.longWorkAbout}>
        <div className="panel long">
          <div className="row">
            <b className="strong">{text.exporting}</b>
            <span className="sub push">{text.exported}</span>
          </div>
          <Progress label={text.exporting} share={0.44} />
          <p className="small sub">{text.goOn}</p>
        </div>
      </Sheet>
    </>
  )
}
