import type { DirectoryReseller } from '../modules/accounts/types.ts'

/** Returns an active reseller, as the directory has it, that may send requests from every address. */
export function sampleReseller(change: Partial<DirectoryReseller> = {}): DirectoryReseller {
  return {
    id: 1n,
    account: '1001',
    name: 'Kedai',
    priceLevel: 'STANDARD',
    access: 0,
    status: 'active',
    topupRequiresApiKey: false,
    duplicateWindowSeconds: 0,
    allowsAddress: () => true,
    ...change,
  }
}
