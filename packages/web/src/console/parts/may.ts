import type { Operator } from '../session.ts'
import { useSignedIn } from '../session.ts'

type Role = Operator['role']

/**
 * Roles beside the admin for each thing that these pages offer, as the service gives them. The service decides anyway;
 * a button that would be refused is left out.
 */
const ROLES = {
  'resellers.write': [],
  'users.read': ['support', 'read_only'],
  'users.write': [],
  'keys.read': ['support', 'read_only'],
  'keys.write': [],
  'permissions.read': ['support', 'catalogue', 'read_only'],
  'permissions.write': ['catalogue'],
  'money.read': ['finance', 'read_only'],
  'money.write': ['finance'],
  'money.compare': ['finance'],
  'ledger.verify': ['finance'],
  'payments.read': ['finance', 'support', 'read_only'],
  'deliveries.write': ['support'],
  'blocks.write': ['support'],
  'notices.write': ['catalogue'],
} as const satisfies Readonly<Record<string, readonly Role[]>>

export type Permission = keyof typeof ROLES

/** Returns a function that says whether the signed-in operator may do something. */
export function useMay(): (permission: Permission) => boolean {
  const { role } = useSignedIn()
  return (permission) => role === 'admin' || (ROLES[permission] as readonly Role[]).includes(role)
}
