import type { MetricRule } from './runbooks.types.ts'

/**
 * Rules about the database servers of a cluster, from the figures of Patroni. Where Prometheus does not read these
 * figures, the rules never fire. A server that does not answer counts as one that does not lead.
 */
export const CLUSTER: readonly MetricRule[] = [
  {
    name: 'WarungNoLeader',
    severity: 'critical',
    expression: 'sum(patroni_primary or 0 * up{job="patroni"}) == 0',
    minutes: 1,
    summary: 'No database server of the cluster leads.',
    meaning: 'No standby is known to have everything that was acknowledged.',
    runbook: {
      cost: 'Every payment. None that was acknowledged is lost.',
      look: [
        {
          text: 'Which parts are there?',
          command: 'node deploy/cluster/cluster.js status --config cluster.json',
        },
        {
          text: 'Who led last, and who was synchronous?',
          command: 'patronictl -c /etc/patroni/config.yml list',
        },
        { text: 'Why does each not lead?', command: 'journalctl -u patroni --since -15min' },
      ],
      act: [
        { text: 'Bring two of three etcd back.' },
        { text: 'Bring the last leader back, or its link to etcd; it leads again by itself.' },
        {
          text: 'Never promote the other server while that is possible: it may lack acknowledged payments.',
        },
      ],
    },
  },
  {
    name: 'WarungOneServer',
    severity: 'warning',
    expression: 'sum(patroni_primary) == 1 and sum(patroni_sync_standby) == 0',
    minutes: 5,
    summary: 'The leader of the database has no synchronous standby.',
    meaning: 'Acknowledged payments are on one disk. With `strict`, nothing is acknowledged.',
    runbook: {
      cost: 'Nothing yet; if the leader is lost now, payments stop.',
      look: [
        {
          text: 'Does the standby run, how far behind?',
          command: 'patronictl -c /etc/patroni/config.yml list',
        },
        { text: 'Its log, on its machine:', command: 'journalctl -u patroni --since -1h' },
      ],
      act: [
        { text: 'Start it.', command: 'systemctl restart patroni' },
        {
          text: 'If it cannot follow, copy it anew.',
          command: 'patronictl -c /etc/patroni/config.yml reinit CLUSTER MACHINE',
        },
      ],
    },
  },
]
