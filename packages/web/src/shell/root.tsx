import { Outlet, useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { checkDownloads } from '../ui/download.ts'
import { ignoreHeldEnter } from './held-enter.ts'
import { removeFailedStyles } from './new-version.ts'
import { usePageHeading } from './page-heading.ts'

/** Root of both entries: what holds on every page, with and without signing in. */
export function Root() {
  const isConsole = useLocation({ select: ({ pathname }) => pathname.startsWith('/operator') })
  usePageHeading(isConsole)
  useEffect(ignoreHeldEnter, [])
  useEffect(removeFailedStyles, [])
  useEffect(checkDownloads, [])
  return <Outlet />
}
