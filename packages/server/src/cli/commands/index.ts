import type { Command } from '../command.ts'

type Group = {
  /** The first words of its commands. */
  readonly words: readonly string[]
  load(): Promise<readonly Command[]>
}

/**
 * Every command, in the order in which the help shows them. A group is loaded when one of its commands is asked for:
 * a deposit need not wait until everything that talks to suppliers has been read from the disk.
 */
const GROUPS: readonly Group[] = [
  {
    words: ['serve', 'simulator', 'config', 'migrate'],
    load: async () => (await import('./service.ts')).serviceCommands,
  },
  {
    words: ['reseller', 'settings'],
    load: async () => {
      const { resellerCommands, settingsCommands } = await import('./resellers.ts')
      return [...resellerCommands, ...settingsCommands]
    },
  },
  { words: ['user'], load: async () => (await import('./logins.ts')).userCommands },
  {
    words: ['key', 'allowlist'],
    load: async () => {
      const { allowlistCommands, keyCommands } = await import('./keys.ts')
      return [...keyCommands, ...allowlistCommands]
    },
  },
  {
    words: ['deposit', 'adjust', 'commission'],
    load: async () => (await import('./wallet.ts')).walletCommands,
  },
  { words: ['approval'], load: async () => (await import('./approvals.ts')).approvalCommands },
  { words: ['threshold'], load: async () => (await import('./thresholds.ts')).thresholdCommands },
  { words: ['ledger'], load: async () => (await import('./ledger.ts')).ledgerCommands },
  { words: ['audit'], load: async () => (await import('./audit.ts')).auditCommands },
  {
    words: ['closing', 'statement', 'reconcile'],
    load: async () => (await import('./finance.ts')).financeCommands,
  },
  {
    words: ['payment'],
    load: async () => [
      (await import('./payment-list.ts')).paymentListCommand,
      ...(await import('./payments.ts')).paymentCommands,
    ],
  },
  { words: ['case'], load: async () => (await import('./cases.ts')).caseCommands },
  { words: ['clock'], load: async () => (await import('./clock.ts')).clockCommands },
  { words: ['notice'], load: async () => (await import('./notices.ts')).noticeCommands },
  { words: ['mail'], load: async () => (await import('./mail.ts')).mailCommands },
  { words: ['alert'], load: async () => (await import('./alerts.ts')).alertCommands },
  { words: ['endpoint'], load: async () => (await import('./endpoints.ts')).endpointCommands },
  { words: ['delivery'], load: async () => (await import('./deliveries.ts')).deliveryCommands },
  { words: ['settlement'], load: async () => (await import('./settlement.ts')).settlementCommands },
  { words: ['provider'], load: async () => (await import('./providers.ts')).providerCommands },
  { words: ['route'], load: async () => (await import('./routes.ts')).routeCommands },
  { words: ['provider'], load: async () => (await import('./floats.ts')).floatCommands },
  { words: ['stock'], load: async () => (await import('./stock.ts')).stockCommands },
  { words: ['catalog'], load: async () => (await import('./catalog.ts')).catalogFileCommands },
  {
    words: ['catalog', 'level'],
    load: async () => {
      const { levelCommands, priceCommands } = await import('./prices.ts')
      return [...priceCommands, ...levelCommands]
    },
  },
  { words: ['overlay'], load: async () => (await import('./overlays.ts')).overlayCommands },
  { words: ['operator'], load: async () => (await import('./logins.ts')).operatorCommands },
  { words: ['block', 'token-key'], load: async () => (await import('./edge.ts')).edgeCommands },
  { words: ['master-key', 'data-key'], load: async () => (await import('./secrets.ts')).secretCommands },
  { words: ['batch'], load: async () => [(await import('../batch.ts')).batchCommand] },
]

/** All that begin with this word; none: there is no such command. */
export function loadCommands(word: string): Promise<readonly Command[]> {
  return loadGroups(GROUPS.filter(({ words }) => words.includes(word)))
}

export function loadAllCommands(): Promise<readonly Command[]> {
  return loadGroups(GROUPS)
}

async function loadGroups(groups: readonly Group[]): Promise<readonly Command[]> {
  return (await Promise.all(groups.map(({ load }) => load()))).flat()
}
