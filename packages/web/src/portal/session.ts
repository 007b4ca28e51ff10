import { createContext, useContext } from 'react'
import type { MemberSession } from '../api/portal.generated.ts'

export type Member = MemberSession['data']

/** Signed-in member; the shell provides it. */
export const MemberContext = createContext<Member | undefined>(undefined)

export function useMember(): Member {
  const member = useContext(MemberContext)
  if (member === undefined) throw new Error('no member is signed in')
  return member
}

/** True for members who may pay and change things. */
export function useIsAdmin(): boolean {
  return useMember().role === 'admin'
}
