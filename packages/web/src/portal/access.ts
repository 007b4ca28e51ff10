import type { Member, Permission } from './session.ts'

/** Permission that each page needs, by the beginning of its path. Pages such as the list of all pages need none. */
const PAGES: Readonly<Record<string, Permission>> = {
  '/portal': 'overview.read',
  '/portal/payments': 'payments.own',
  '/portal/sell': 'sell.read',
  '/portal/bulk': 'payments.read',
  '/portal/orders': 'orders.read',
  '/portal/reports': 'reports.read',
  '/portal/shifts': 'payments.own',
  '/portal/statement': 'statement.read',
  '/portal/reconciliation': 'statement.read',
  '/portal/deposits': 'deposits.read',
  '/portal/catalogue': 'catalogue.read',
  '/portal/cases': 'cases.read',
  '/portal/developers': 'developers.read',
  '/portal/team': 'team.read',
  '/portal/account': 'account',
}

/** Tells whether a member may read the page at a path. */
export function mayOpen({ permissions }: Pick<Member, 'permissions'>, path: string): boolean {
  const [, entry, room] = path.split('/')
  const permission = PAGES[room === undefined ? `/${entry}` : `/${entry}/${room}`]
  return permission === undefined || permissions.includes(permission)
}

/** Page that a member begins with. */
export function homeOf(member: Pick<Member, 'permissions'>): string {
  return mayOpen(member, '/portal') ? '/portal' : '/portal/sell'
}
