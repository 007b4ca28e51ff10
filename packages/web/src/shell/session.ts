import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { onSignedOut } from '../api/signals.ts'
import { useAction } from '../ui/use-action.ts'
import { isSignInPath } from './local-path.ts'
import { useGo } from './navigation.tsx'

/** Leads to the sign-in page, and back to this page from there, when nobody is signed in or the session has ended. */
export function useSignInFirst(isNobody: boolean, signInPath: string): void {
  const go = useGo()
  const router = useRouter()
  const leave = () => {
    // Many reads may say one after another that the session has ended; the first of them leads away from here.
    const { href } = router.history.location
    if (!isSignInPath(href, signInPath)) go(signInPath, { next: href }, { replace: true })
  }
  useEffect(() => onSignedOut(leave))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it leaves once, wherever the page is by then.
  useEffect(() => {
    if (isNobody) leave()
  }, [isNobody])
}

/** Ends the session. */
export function useSignOut(end: () => Promise<unknown>, signInPath: string) {
  return useAction({
    act: end,
    // A new load leaves nothing behind in memory, and no read that asks once more for the ended session.
    onDone: () => location.assign(signInPath),
  })
}
