import type { ComponentType } from 'react'
import { useCallback, useEffect, useState } from 'react'
import { portal } from '../../api/portal.ts'
import { PEOPLE } from '../../people/messages.ts'
import { SignIn } from '../../people/sign-in.tsx'
import { useText } from '../../text/language.ts'
import { isMarkedTill } from '../shared-tills/marker.ts'

type Screen = ComponentType<{ readonly onFull: () => void }>

/** Page to sign in. At a shared till it is the locked screen first, which is loaded there alone. */
export function Page() {
  const [isTill, setTill] = useState(isMarkedTill)
  const [Locked, setLocked] = useState<Screen | undefined>(undefined)
  const inFull = useCallback(() => setTill(false), [])
  useEffect(() => {
    if (!isTill) return
    import('../shared-tills/lock-screen.tsx').then(({ LockScreen }) => setLocked(() => LockScreen), inFull)
  }, [isTill, inFull])
  if (!isTill) return <FullSignIn />
  return Locked === undefined ? null : <Locked onFull={inFull} />
}

function FullSignIn() {
  const text = useText(PEOPLE)
  return (
    <SignIn
      audience="portal"
      about={text.about}
      signIn={({ name, ...rest }) =>
        portal.call('createPortalSession', { body: { username: name, ...rest } })
      }
      beginPasskey={() => portal.call('beginPortalPasskeySession', {})}
      finishPasskey={(body) => portal.call('createPortalPasskeySession', { body })}
    />
  )
}
