import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Run of the cluster: number of kills of the leader, and the seed of its moments. */
    clusterRun: { readonly kills: number; readonly seed: number }
  }
}

/** Sets up vitest globally: passes the options of scripts/test-cluster.js on. */
export default function provideRun(project: TestProject): void {
  const { WARUNG_TEST_CLUSTER_KILLS: kills, WARUNG_TEST_CLUSTER_SEED: seed } = process.env
  project.provide('clusterRun', { kills: Number(kills), seed: Number(seed) })
}
