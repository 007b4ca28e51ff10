import { ApiProblem } from '../api/errors.ts'
import { useText } from '../text/language.ts'
import { Button } from './button.tsx'
import { UI } from './messages.ts'
import { effectText, isWorthRetrying, problemText } from './problem-text.ts'
import { Shape } from './state.tsx'

/** Message of a field in an error answer; names inside are as the API calls them. */
export function fieldError(error: unknown, name: string): string | undefined {
  if (error instanceof ApiProblem && error.code === 'wrong_password' && name === 'password')
    return error.message
  return error instanceof ApiProblem ? error.fields[name]?.[0] : undefined
}

type ProblemPanelProps = { error: unknown; title?: string; onRetry?: () => void }

/** Error in the place of what could not be read. */
export function ProblemPanel({ error, title, onRetry }: ProblemPanelProps) {
  const text = useText(UI)
  const requestId = error instanceof ApiProblem ? error.requestId : undefined
  return (
    <div className="empty problem" role="alert">
      <span className="st bad">
        <Shape tone="warning" />
        {title ?? text.failedRead}
      </span>
      <p>{problemText(error, text)}</p>
      <div className="row">
        {onRetry === undefined || !isWorthRetrying(error) ? null : (
          <Button size="sm" onClick={onRetry}>
            {text.tryAgain}
          </Button>
        )}
        {requestId === undefined ? null : (
          <span className="sub small">
            {text.quote} <span className="mono">{requestId}</span>
          </span>
        )}
      </div>
    </div>
  )
}

/** Error of a change, inside the form that was sent. It says whether anything may have been done. */
export function ActionProblem({ error }: { error: unknown }) {
  const text = useText(UI)
  if (error === null || error === undefined) return null
  const isUncertain = error instanceof ApiProblem && error.isUncertain
  const requestId = error instanceof ApiProblem ? error.requestId : undefined
  return (
    <div className={`note ${isUncertain ? 'wait' : 'bad'}`} role="alert">
      <Shape tone={isUncertain ? 'wait' : 'bad'} />
      <div>
        <b>{problemText(error, text)}</b> {effectText(error, text)}
        {requestId === undefined ? null : (
          <span className="sub small">
            {' '}
            {text.quote} <span className="mono">{requestId}</span>
          </span>
        )}
      </div>
    </div>
  )
}
