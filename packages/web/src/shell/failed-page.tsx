import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useText } from '../text/language.ts'
import { PageHead } from '../ui/panel.tsx'
import { ProblemPanel } from '../ui/problem.tsx'
import { SHELL } from './messages.ts'
import { PageNotLoaded } from './page-loader.ts'

/** Page in the place of one that broke. The frame around it stays, so that every other page can be reached. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const text = useText(SHELL)
  const unloaded = error instanceof PageNotLoaded ? error : undefined
  // Coming back to the page loads it anew, as the button here does.
  useEffect(() => unloaded?.forget, [unloaded])
  const retry = () => {
    unloaded?.forget()
    reset()
  }
  return (
    <>
      <PageHead title={unloaded === undefined ? text.pageBroke : text.pageNotLoaded} />
      <section className="panel">
        {unloaded === undefined ? (
          <ProblemPanel error={error} onRetry={retry} />
        ) : (
          <ProblemPanel error={text.notLoadedAbout} onRetry={retry} />
        )}
      </section>
    </>
  )
}

export function NotFoundPage() {
  const text = useText(SHELL)
  return (
    <main className="si-one">
      <h1>{text.nothingHere}</h1>
      <p className="mid">{text.nothingHereAbout}</p>
      <p>
        <a className="link" href="/">
          {text.toStart}
        </a>
      </p>
    </main>
  )
}
