import { useSignedIn } from '../session.ts'

/** True for operators who change the catalogue and the prices. The service decides anyway. */
export function useMayChangeCatalog(): boolean {
  const { role } = useSignedIn()
  return role === 'admin' || role === 'catalogue'
}

/** True for operators who read catalogue and providers, and not only margins and levels. */
export function useMayReadCatalog(): boolean {
  return useSignedIn().role !== 'finance'
}

/** True for operators who change routes and switch providers. */
export function useMayChangeProviders(): boolean {
  return useSignedIn().role === 'admin'
}
