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

export type Permission = Member['permissions'][number]

/** Tells whether the signed-in member's role allows something. The service decides, by the same table. */
export function useMay(permission: Permission): boolean {
  return useMember().permissions.includes(permission)
}
