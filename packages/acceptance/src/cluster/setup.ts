import type { TestProject } from 'vitest/node'

/** Parts of a run that can be chosen alone. */
export type Part = 'leader' | 'standby' | 'etcd' | 'service' | 'machine' | 'links'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Run of the cluster: number of kills of the leader, the seed of its moments, and its parts (none: all). */
    clusterRun: { readonly kills: number; readonly seed: number; readonly only: readonly Part[] }
  }
}

/** Sets up vitest globally: passes the options of tools/src/tests/cluster.ts on. */
export default function provideRun(project: TestProject): void {
  const {
    WARUNG_TEST_CLUSTER_KILLS: kills,
    WARUNG_TEST_CLUSTER_SEED: seed,
    WARUNG_TEST_CLUSTER_ONLY: only = '',
  } = process.env
  const parts = only.split(',').filter((part) => part !== '') as Part[]
  project.provide('clusterRun', { kills: Number(kills), seed: Number(seed), only: parts })
}
