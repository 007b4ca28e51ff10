import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ignoreHeldEnter } from './held-enter.ts'

/** Root of both entries: what holds on every page, with and without signing in. */
export function Root() {
  useEffect(ignoreHeldEnter, [])
  return <Outlet />
}
