import { describe, expect, it } from 'vitest'
import { createScriptedProvider, providersOf, SUCCEEDED } from '../../testing/providers/scripted-provider.ts'
import { createDynamicOptions, optionsOf } from './options.service.ts'
import type { DynamicOption, DynamicOptionsAnswer, Provider } from './port/types.ts'

const REQUEST = { productCode: 'EDULOAN', fieldId: 'loan_account', accountNumber: '900101145566' }
const OPTION: DynamicOption = {
  code: 'K',
  label: 'Loan K',
  description: null,
  accountNumber: '123',
  denomination: null,
  validity: null,
  features: null,
}

function providerWith(code: string, answer?: DynamicOptionsAnswer): Provider {
  const provider = createScriptedProvider(SUCCEEDED, undefined, { code })
  return answer === undefined ? provider : { ...provider, options: { listOptions: async () => answer } }
}

const listFrom = (...providers: Provider[]) =>
  createDynamicOptions({ provider: optionsOf(providersOf(...providers)) }).list(REQUEST)

describe('choices for one account', () => {
  it('come from the first provider of the product that knows them', async () => {
    const found = { kind: 'found', options: [OPTION] } as const
    const other = { kind: 'found', options: [] } as const
    const providers = [providerWith('mute'), providerWith('knowing', found), providerWith('other', other)]
    expect(await listFrom(...providers)).toEqual([OPTION])
  })

  it.each([
    ['nobody fulfils the product', []],
    ['nobody knows them', [providerWith('mute')]],
    ['whoever knows them is out', [providerWith('out', { kind: 'unavailable', reason: 'out' })]],
  ])('are a 503 where %s', async (_, providers) => {
    await expect(listFrom(...providers)).rejects.toMatchObject({ status: 503 })
  })
})
