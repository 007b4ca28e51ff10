import type { ErrorComponentProps } from '@tanstack/react-router'
import { useText } from '../text/language.ts'
import { ProblemPanel } from '../ui/problem.tsx'
import { SHELL } from './messages.ts'

/** Page in the place of one that broke. The frame around it stays, so that every other page can be reached. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const text = useText(SHELL)
  return (
    <section className="panel">
      <ProblemPanel error={error} title={text.pageBroke} onRetry={reset} />
    </section>
  )
}
