import { CLUSTER } from './cluster-metrics.rules.ts'
import type { MetricRule, Step } from './runbooks.types.ts'

const DOCTOR: Step = {
  text: 'Settings, database, clock, keys, disk:',
  command: 'npx warungd doctor',
}
const LOG: Step = { text: 'The node’s log:', command: 'journalctl -u warung --since -15min' }
const READY: Step = {
  text: 'Why it is not ready:',
  command: 'curl -s http://127.0.0.1:3000/readyz',
}

/** Rules about a node and its way to the database. */
const NODES: readonly MetricRule[] = [
  {
    name: 'WarungDown',
    severity: 'critical',
    expression: 'up{job="warung"} == 0',
    minutes: 1,
    summary: 'Prometheus cannot read the metrics of a node.',
    meaning: 'The process is gone, does not answer, or is out of Prometheus’ reach.',
    runbook: {
      cost: 'With one node every payment; with several room for load.',
      look: [{ text: 'Does the process run?', command: 'systemctl status warung' }, READY, LOG],
      act: [
        { text: 'Start it.', command: 'systemctl restart warung' },
        {
          text: 'It does not start: its last lines say why.',
          command: 'journalctl -u warung -n 50',
        },
        {
          text: 'It runs: mend `WARUNG_METRICS_HOST` and `WARUNG_METRICS_PORT`.',
          command: 'npx warungd config',
        },
      ],
    },
  },
  {
    name: 'WarungDirectoryOld',
    severity: 'critical',
    expression: 'warung_directory_age_seconds > 5',
    minutes: 1,
    summary: 'A node has not read its accounts for 5 seconds, and refuses signed requests.',
    meaning: 'It cannot read the database. A revoked key must not live on, so it answers 503.',
    runbook: {
      cost: 'Every request to this node.',
      look: [READY, DOCTOR],
      act: [
        { text: 'Bring the database back, or the way to it.' },
        { text: 'If other nodes are well, take this one out of the proxy.' },
      ],
    },
  },
  {
    name: 'WarungErrors',
    severity: 'critical',
    expression:
      'sum(rate(warung_http_requests_total{status=~"5.."}[5m])) / sum(rate(warung_http_requests_total[5m])) > 0.02',
    minutes: 5,
    summary: 'More than 2 of 100 requests are answered with 5xx.',
    meaning: 'The service refuses work (503), does not know an outcome (504), or has a fault (500).',
    runbook: {
      cost: 'Sales, and repeated work.',
      look: [
        {
          text: 'Which routes and statuses?',
          command: 'curl -s http://127.0.0.1:9464/metrics | grep warung_http_requests_total',
        },
        {
          text: 'The reasons:',
          command: `journalctl -u warung --since -15min | grep '"status":5'`,
        },
        DOCTOR,
      ],
      act: [
        { text: '503 `saturated`: add processes or nodes, or find the client that floods.' },
        { text: '503 `database_unavailable`, 504: mend the database.' },
        { text: '500: the log line of the `request_id` has the error.' },
      ],
    },
  },
  {
    name: 'WarungSlow',
    severity: 'warning',
    expression:
      'histogram_quantile(0.95, sum by (le) (rate(warung_http_request_duration_seconds_bucket{route="/v2/topup"}[5m]))) > 1',
    minutes: 10,
    summary: '5 of 100 requests to pay take longer than a second.',
    meaning: 'Requests wait for a processor, the database, or a lock.',
    runbook: {
      cost: 'Patience; from 29 seconds on 504.',
      look: [
        {
          text: 'What waits?',
          command: 'curl -s http://127.0.0.1:9464/metrics | grep -E "_waiting|eventloop_lag_p99"',
        },
        {
          text: 'Exemplars of slow buckets name requests:',
          command: 'journalctl -u warung | grep REQUEST-ID',
        },
        { text: 'Is the database’s disk busy?', command: 'iostat -x 5 2' },
      ],
      act: [
        { text: 'A full processor: `WARUNG_PROCESSES`, or another node.' },
        { text: 'A slow disk: a faster one.' },
      ],
    },
  },
  {
    name: 'WarungQueueGrows',
    severity: 'critical',
    expression: 'warung_payments_waiting + warung_nonces_waiting > 1000',
    minutes: 1,
    summary: 'More than 1000 commands wait for their commit.',
    meaning: 'The database takes fewer than arrive. At 20,000 the service answers 503.',
    runbook: {
      cost: 'Time, then refused requests.',
      look: [READY, { text: 'Is the database’s disk busy?', command: 'iostat -x 5 2' }],
      act: [
        { text: 'Look for what holds locks or the disk: a backup, a report, a migration.' },
        { text: 'Does the synchronous standby answer?' },
      ],
    },
  },
  {
    name: 'WarungEventLoop',
    severity: 'warning',
    expression: 'nodejs_eventloop_lag_p99_seconds > 0.25',
    minutes: 10,
    summary: 'A process is late by a quarter of a second.',
    meaning: 'The processor is full, or one piece of work takes long.',
    runbook: {
      cost: 'Time of every request there.',
      look: [{ text: 'What else runs?', command: 'top -b -n 1 | head -20' }, LOG],
      act: [{ text: 'Move programs away, set `WARUNG_PROCESSES`, or add a node.' }],
    },
  },
]

/** Rules about payments, suppliers and what resellers are told. */
const WORK: readonly MetricRule[] = [
  {
    name: 'WarungPaymentsStuck',
    severity: 'critical',
    expression: 'max(warung_payments_stuck_oldest_seconds) > 900',
    minutes: 5,
    summary: 'A payment has been past its due time for 15 minutes.',
    meaning: 'Its supplier has not decided, or cannot be asked.',
    runbook: {
      cost: 'Customers wait. No money is lost.',
      look: [{ text: 'Longest overdue first:', command: 'npx warungd payment stuck' }],
      act: [
        {
          text: 'Go on with `payments_stuck`.',
        },
      ],
    },
  },
  {
    name: 'WarungPaymentsFail',
    severity: 'warning',
    expression:
      'sum by (supplier) (rate(warung_payments_total{outcome="failed"}[15m])) / sum by (supplier) (rate(warung_payments_total[15m])) > 0.3',
    minutes: 10,
    summary: 'More than 30 of 100 payments through a supplier fail.',
    meaning: 'The supplier refuses orders. Resellers have their money back.',
    runbook: {
      cost: 'Sales.',
      look: [
        {
          text: 'The last reasons:',
          command: 'npx warungd payment list --status failed',
        },
        { text: 'Its health:', command: 'npx warungd provider health' },
        { text: 'Its float:', command: 'npx warungd provider float' },
      ],
      act: [
        {
          text: 'Use another supplier meanwhile.',
          command: 'npx warungd provider disable --code CODE --dry-run',
        },
      ],
    },
  },
  {
    name: 'WarungProviderInterrupted',
    severity: 'critical',
    expression: 'max by (provider) (warung_provider_state) == 2',
    minutes: 5,
    summary: 'No orders are sent to a provider: its circuit breaker is open.',
    meaning: 'It failed 5 times in a row, or half of 20 orders. Probes are sent.',
    runbook: {
      cost: 'Its products are refused, or cost more elsewhere.',
      look: [
        { text: 'Its last errors:', command: 'npx warungd provider health' },
        { text: 'Ask it now.', command: 'npx warungd provider test --code CODE' },
      ],
      act: [
        { text: 'Call the provider.' },
        {
          text: 'Tell resellers.',
          command: 'npx warungd notice add --provider CODE --message TEXT',
        },
      ],
    },
  },
  {
    name: 'WarungOutcomesKept',
    severity: 'critical',
    expression: 'warung_outcomes_kept > 0',
    minutes: 2,
    summary: 'Answers of suppliers wait in the memory of a node for the database.',
    meaning: 'They are tried again, and written to files when the node stops.',
    runbook: {
      cost: 'Payments stay pending. Lost with the data folder.',
      look: [DOCTOR, { text: 'The service’s own alerts:', command: 'npx warungd alert list' }],
      act: [
        { text: 'Bring the database back; keep the data folder.' },
        { text: 'Go on with `outcomes_waiting` or `outcome_refused`.' },
      ],
    },
  },
  {
    name: 'WarungOrdersStuck',
    severity: 'warning',
    expression: 'max(warung_orders_stuck_oldest_seconds) > 900',
    minutes: 5,
    summary: 'An order of the hosted checkout has not moved for 15 minutes.',
    meaning: 'A customer has paid for it.',
    runbook: {
      cost: 'Customers of shops wait.',
      look: [{ text: 'The orders:', command: 'npx warungd alert list' }],
      act: [{ text: 'Go on with `order_stuck`.' }],
    },
  },
  {
    name: 'WarungEventsLate',
    severity: 'critical',
    expression: 'max(warung_facts_oldest_seconds) > 60',
    minutes: 2,
    summary: 'Facts have waited for a minute to become events.',
    meaning: 'The sequencer stands: no feed, callback or webhook moves on.',
    runbook: {
      cost: 'Resellers are not told; they can still ask.',
      look: [
        {
          text: 'Why it cannot number them:',
          command: `journalctl -u warung --since -15min | grep 'numbered'`,
        },
        DOCTOR,
      ],
      act: [
        {
          text: 'Mend the database. If the log is silent about events, restart a node.',
          command: 'systemctl restart warung',
        },
      ],
    },
  },
  {
    name: 'WarungDeliveriesLate',
    severity: 'warning',
    expression: 'max by (stream) (warung_deliveries_overdue_seconds) > 300',
    minutes: 10,
    summary: 'A delivery to a receiver has been due for 5 minutes.',
    meaning: 'Too many receivers are slow, or no node delivers.',
    runbook: {
      cost: 'Resellers learn late how payments ended.',
      look: [
        { text: 'The longest queues:', command: 'npx warungd delivery queue' },
        {
          text: 'The state of one:',
          command: 'npx warungd endpoint show --reseller ACCOUNT --stream STREAM',
        },
      ],
      act: [
        { text: 'Tell the reseller whose receiver is silent.' },
        {
          text: 'Pause a receiver that holds up others; replay later.',
          command: 'npx warungd endpoint pause --reseller ACCOUNT --stream STREAM',
        },
      ],
    },
  },
  {
    name: 'WarungMailLate',
    severity: 'warning',
    expression: 'max(warung_mails_oldest_seconds) > 1800',
    minutes: 10,
    summary: 'A mail has waited for half an hour.',
    meaning: 'The mail server is slow or refuses.',
    runbook: {
      cost: 'People are told late.',
      look: [{ text: 'Try it; the error is shown.', command: 'npx warungd mail test --to ADDRESS' }],
      act: [{ text: 'Go on with `mail_unreachable`.' }],
    },
  },
  {
    name: 'WarungTracesDropped',
    severity: 'warning',
    expression: 'sum(rate(warung_trace_spans_total{result="dropped"}[10m])) > 0',
    minutes: 15,
    summary: 'Spans of traces are dropped.',
    meaning: 'The collector at `WARUNG_TRACES_URL` is slow, away, or refuses.',
    runbook: {
      cost: 'Gaps in traces alone.',
      look: [
        {
          text: 'Why they were not sent:',
          command: `journalctl -u warung --since -15min | grep 'traces'`,
        },
        { text: 'The address in force:', command: 'npx warungd config' },
      ],
      act: [
        { text: 'Mend the collector, or raise `WARUNG_TRACES_ONE_IN`.' },
        { text: 'Without a collector, unset `WARUNG_TRACES_URL`.' },
      ],
    },
  },
  {
    name: 'WarungAlertOpen',
    severity: 'critical',
    expression: 'max(warung_operator_alerts_open{severity="critical"}) > 0',
    minutes: 1,
    summary: 'The service itself has an open critical alert.',
    meaning: 'One of the critical kinds above.',
    runbook: {
      cost: 'That of the kind.',
      look: [{ text: 'Its kind names the runbook:', command: 'npx warungd alert list' }],
      act: [{ text: 'Go on there.' }],
    },
  },
]

/** Rules of deploy/prometheus/warung.rules.yml, in its order. */
export const METRIC_RULES: readonly MetricRule[] = [...NODES, ...WORK, ...CLUSTER]
