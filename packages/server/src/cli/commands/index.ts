import type { Command } from '../command.ts'

export const TOPICS = [
  'accounts',
  'money',
  'payments',
  'catalogue',
  'suppliers',
  'events',
  'finance',
  'people',
  'service',
] as const
export type Topic = (typeof TOPICS)[number]

type Group = {
  /** Topic of the help under which the group is shown. */
  readonly topic: Topic
  /** First words of the group's commands. */
  readonly firstWords: readonly string[]
  load(): Promise<readonly Command[]>
}

/**
 * All commands, in the order in which the help shows them. A group is loaded when one of its commands is called, so
 * that a deposit does not wait until all code for suppliers is read from the disk.
 */
const GROUPS: readonly Group[] = [
  {
    topic: 'service',
    firstWords: ['serve', 'simulator', 'config', 'migrate', 'doctor'],
    load: async () => [
      ...(await import('./service/service.ts')).serviceCommands,
      (await import('./service/doctor.ts')).doctorCommand,
    ],
  },
  {
    topic: 'service',
    firstWords: ['group'],
    load: async () => (await import('./service/groups.ts')).groupCommands,
  },
  {
    topic: 'service',
    firstWords: ['backup'],
    load: async () => (await import('./service/backup.ts')).backupCommands,
  },
  {
    topic: 'service',
    firstWords: ['restore'],
    load: async () => (await import('./service/restore.ts')).restoreCommands,
  },
  {
    topic: 'accounts',
    firstWords: ['reseller', 'settings'],
    load: async () => {
      const { resellerCommands, settingsCommands } = await import('./accounts/resellers.ts')
      return [...resellerCommands, ...settingsCommands]
    },
  },
  {
    topic: 'accounts',
    firstWords: ['user'],
    load: async () => (await import('./accounts/logins.ts')).userCommands,
  },
  {
    topic: 'accounts',
    firstWords: ['key', 'allowlist'],
    load: async () => {
      const { allowlistCommands, keyCommands } = await import('./accounts/keys.ts')
      return [...keyCommands, ...allowlistCommands]
    },
  },
  {
    topic: 'money',
    firstWords: ['deposit', 'adjust', 'commission'],
    load: async () => (await import('./money/wallet.ts')).walletCommands,
  },
  {
    topic: 'money',
    firstWords: ['approval'],
    load: async () => (await import('./money/approvals.ts')).approvalCommands,
  },
  {
    topic: 'money',
    firstWords: ['rate'],
    load: async () => (await import('./money/rates.ts')).rateCommands,
  },
  {
    topic: 'money',
    firstWords: ['margin'],
    load: async () => (await import('./money/margins.ts')).marginCommands,
  },
  {
    topic: 'money',
    firstWords: ['threshold'],
    load: async () => (await import('./money/thresholds.ts')).thresholdCommands,
  },
  {
    topic: 'money',
    firstWords: ['ledger'],
    load: async () => (await import('./money/ledger.ts')).ledgerCommands,
  },
  {
    topic: 'people',
    firstWords: ['audit'],
    load: async () => (await import('./money/audit.ts')).auditCommands,
  },
  {
    topic: 'finance',
    firstWords: ['closing', 'statement', 'reconcile'],
    load: async () => (await import('./money/finance.ts')).financeCommands,
  },
  {
    topic: 'payments',
    firstWords: ['payment'],
    load: async () => [
      (await import('./payments/payment-list.ts')).paymentListCommand,
      ...(await import('./payments/payments.ts')).paymentCommands,
      (await import('./payments/payment-trace.ts')).paymentTraceCommand,
    ],
  },
  {
    topic: 'payments',
    firstWords: ['limit'],
    load: async () => (await import('./accounts/limits.ts')).limitCommands,
  },
  {
    topic: 'payments',
    firstWords: ['member-limit'],
    load: async () => (await import('./accounts/member-limits.ts')).memberLimitCommands,
  },
  {
    topic: 'payments',
    firstWords: ['order'],
    load: async () => (await import('./payments/orders.ts')).orderCommands,
  },
  {
    topic: 'payments',
    firstWords: ['case'],
    load: async () => (await import('./payments/cases.ts')).caseCommands,
  },
  {
    topic: 'payments',
    firstWords: ['clock'],
    load: async () => (await import('./payments/clock.ts')).clockCommands,
  },
  {
    topic: 'catalogue',
    firstWords: ['notice'],
    load: async () => (await import('./catalog/notices.ts')).noticeCommands,
  },
  {
    topic: 'catalogue',
    firstWords: ['number-plan'],
    load: async () => (await import('./catalog/number-plan.ts')).numberPlanCommands,
  },
  {
    topic: 'service',
    firstWords: ['mail'],
    load: async () => (await import('./service/mail.ts')).mailCommands,
  },
  {
    topic: 'service',
    firstWords: ['alert'],
    load: async () => (await import('./service/alerts.ts')).alertCommands,
  },
  {
    topic: 'events',
    firstWords: ['endpoint'],
    load: async () => (await import('./service/endpoints.ts')).endpointCommands,
  },
  {
    topic: 'events',
    firstWords: ['delivery'],
    load: async () => (await import('./service/deliveries.ts')).deliveryCommands,
  },
  {
    topic: 'finance',
    firstWords: ['settlement'],
    load: async () => (await import('./money/settlement.ts')).settlementCommands,
  },
  {
    topic: 'suppliers',
    firstWords: ['provider'],
    load: async () => (await import('./suppliers/providers.ts')).providerCommands,
  },
  {
    topic: 'suppliers',
    firstWords: ['route'],
    load: async () => (await import('./suppliers/routes.ts')).routeCommands,
  },
  {
    topic: 'suppliers',
    firstWords: ['provider'],
    load: async () => [
      ...(await import('./money/floats.ts')).floatCommands,
      (await import('./suppliers/provider-test.ts')).providerTestCommand,
      ...(await import('./suppliers/provider-packs.ts')).packCommands,
      ...(await import('./suppliers/provider-words.ts')).wordCommands,
    ],
  },
  {
    topic: 'suppliers',
    firstWords: ['stock'],
    load: async () => (await import('./suppliers/stock.ts')).stockCommands,
  },
  {
    topic: 'catalogue',
    firstWords: ['catalog'],
    load: async () => (await import('./catalog/catalog.ts')).catalogFileCommands,
  },
  {
    topic: 'catalogue',
    firstWords: ['catalog'],
    load: async () => (await import('./catalog/offers.ts')).offerCommands,
  },
  {
    topic: 'catalogue',
    firstWords: ['catalog', 'level'],
    load: async () => {
      const { levelCommands, priceCommands } = await import('./catalog/prices.ts')
      return [...priceCommands, ...levelCommands]
    },
  },
  {
    topic: 'catalogue',
    firstWords: ['overlay'],
    load: async () => (await import('./catalog/overlays.ts')).overlayCommands,
  },
  {
    topic: 'people',
    firstWords: ['operator'],
    load: async () => (await import('./accounts/logins.ts')).operatorCommands,
  },
  {
    topic: 'service',
    firstWords: ['block', 'token-key'],
    load: async () => (await import('./accounts/edge.ts')).edgeCommands,
  },
  {
    topic: 'service',
    firstWords: ['master-key', 'data-key'],
    load: async () => (await import('./accounts/secrets.ts')).secretCommands,
  },
  { topic: 'service', firstWords: ['batch'], load: async () => [(await import('../batch.ts')).batchCommand] },
]

/** Loads all commands that begin with this word; an empty list: there is no such command. */
export function loadCommands(word: string): Promise<readonly Command[]> {
  return loadGroups(GROUPS.filter(({ firstWords }) => firstWords.includes(word)))
}

/** Lists the first words of all commands. */
export function listGroupNames(): string[] {
  return [...new Set(GROUPS.flatMap(({ firstWords }) => firstWords))]
}

/** Loads every topic with its commands. */
export function loadTopics(): Promise<(readonly [Topic, readonly Command[]])[]> {
  return Promise.all(
    TOPICS.map(
      async (topic) => [topic, await loadGroups(GROUPS.filter((each) => each.topic === topic))] as const,
    ),
  )
}

export function loadAllCommands(): Promise<readonly Command[]> {
  return loadGroups(GROUPS)
}

async function loadGroups(groups: readonly Group[]): Promise<readonly Command[]> {
  return (await Promise.all(groups.map(({ load }) => load()))).flat()
}
