import { fieldError } from '../ui/problem.tsx'

/** True when one of these fields shows the error by itself. */
export function isAboutField(error: unknown, ...names: readonly string[]): boolean {
  return names.some((name) => fieldError(error, name) !== undefined)
}
