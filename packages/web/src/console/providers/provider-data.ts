import type { GetProviderResponse } from '../../api/operator.generated.ts'

/** Provider as its page reads it. */
export type ProviderData = GetProviderResponse['data']
