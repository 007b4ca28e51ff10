import type { AnyRouter } from '@tanstack/react-router'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useText } from '../text/language.ts'
import { headingText } from './heading-text.ts'
import { SHELL } from './messages.ts'

const CONTENTS = { childList: true, characterData: true, subtree: true } as const

/**
 * Names the document after the page's heading, and puts the focus there when another page is opened. Headings are
 * watched in the document because they come late: with the page's module, or with what it reads.
 */
export function usePageHeading(isConsole: boolean): void {
  const text = useText(SHELL)
  const router = useRouter()
  const app = isConsole ? text.consoleTitle : text.portalTitle
  useEffect(() => {
    const show = () => {
      const heading = headingOfPage()
      const title = heading === null ? app : `${headingText(heading)} · ${app}`
      if (document.title !== title) document.title = title
    }
    return watchContents(show)
  }, [app])
  useEffect(() => focusHeadings(router), [router])
}

function headingOfPage(): HTMLElement | null {
  return document.querySelector<HTMLElement>('h1')
}

/** Calls a function now, and whenever something on the page has changed. */
function watchContents(look: () => void): () => void {
  const observer = new MutationObserver(look)
  observer.observe(document.body, CONTENTS)
  look()
  return () => observer.disconnect()
}

/** Puts the focus on the heading of each page that is opened after the first, which the browser announces itself. */
function focusHeadings(router: AnyRouter): () => void {
  let before: Element | null = null
  /** Element that had the focus when the page was drawn; undefined when no heading is waited for. */
  let holder: Element | null | undefined
  const look = () => {
    if (holder === undefined || document.querySelector('dialog[open]') !== null) return
    const heading = headingOfPage()
    if (heading === null) return
    const { activeElement } = document
    // Somebody who has gone on by then is not called back.
    const isFree = activeElement === null || activeElement === document.body || activeElement === holder
    holder = undefined
    if (isFree) focus(heading)
  }
  const stops = [
    router.subscribe('onBeforeNavigate', () => {
      before = document.activeElement
      holder = undefined
    }),
    router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return
      const { activeElement } = document
      // A page that puts the focus into its own first field keeps it there.
      const isTaken = activeElement !== before && activeElement?.closest('main') != null
      holder = isTaken ? undefined : activeElement
      look()
    }),
    watchContents(look),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

function focus(heading: HTMLElement): void {
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
