import { CLUSTER } from './cluster-metrics.rules.ts'
import type { MetricRule, Step } from './runbooks.types.ts'

const DOCTOR: Step = {
  text: 'Check settings, database, clock, keys and disk.',
  command: 'npx warungd doctor',
}
const LOG: Step = { text: 'Read the log of the node.', command: 'journalctl -u warung --since -15min' }
const READY: Step = {
  text: 'Ask the node why it is not ready.',
  command: 'curl -s http://127.0.0.1:3000/readyz',
}
const NODE = 'The instance that Prometheus reads.'
const SERVICE = 'The whole service.'
const OVER = 'When the condition does not hold any more.'

/** Rules about a node and its way to the database. */
const NODES: readonly MetricRule[] = [
  {
    name: 'WarungDown',
    severity: 'critical',
    expression: 'up{job="warung"} == 0',
    minutes: 1,
    summary: 'Prometheus cannot read the metrics of a node.',
    meaning: 'The process is gone, it does not answer, or Prometheus does not reach its address.',
    runbook: {
      subject: NODE,
      cost: 'With one node: every payment. With several: room for load, and the rules below see less.',
      look: [{ text: 'See whether the process runs.', command: 'systemctl status warung' }, READY, LOG],
      act: [
        { text: 'Start it again.', command: 'systemctl restart warung' },
        {
          text: 'If it does not start, its last lines name the reason.',
          command: 'journalctl -u warung -n 50',
        },
        {
          text: 'If it runs, mend the way of Prometheus: `WARUNG_METRICS_HOST` and `WARUNG_METRICS_PORT`.',
          command: 'npx warungd config',
        },
      ],
      clears: 'When Prometheus reads the metrics again.',
    },
  },
  {
    name: 'WarungDirectoryOld',
    severity: 'critical',
    expression: 'warung_directory_age_seconds > 5',
    minutes: 1,
    summary: 'A node has not read its accounts for 5 seconds, and refuses signed requests.',
    meaning: 'The node cannot read the database. A revoked key must not live on there, so it answers 503.',
    runbook: {
      subject: NODE,
      cost: 'Every request to this node.',
      look: [READY, DOCTOR],
      act: [
        { text: 'Bring the database back, or the way of this node to it.' },
        { text: 'If other nodes are well, take this one out of the proxy.' },
      ],
      clears: OVER,
    },
  },
  {
    name: 'WarungErrors',
    severity: 'critical',
    expression:
      'sum(rate(warung_http_requests_total{status=~"5.."}[5m])) / sum(rate(warung_http_requests_total[5m])) > 0.02',
    minutes: 5,
    summary: 'More than 2 of 100 requests are answered with 5xx.',
    meaning:
      'The service refuses work (503), does not know an outcome (504), or has a fault (500). Clients ask again with the same refid.',
    runbook: {
      subject: SERVICE,
      cost: 'Sales, and the work of clients that ask again.',
      look: [
        {
          text: 'See which routes and statuses.',
          command: 'curl -s http://127.0.0.1:9464/metrics | grep warung_http_requests_total',
        },
        {
          text: 'Read the reasons in the log.',
          command: `journalctl -u warung --since -15min | grep '"status":5'`,
        },
        DOCTOR,
      ],
      act: [
        { text: '503 `saturated`: add processes or nodes, or find the client that floods.' },
        { text: '503 `database_unavailable` and 504: mend the database.' },
        { text: '500: a fault of the service. The log line with the same `request_id` has the error.' },
      ],
      clears: OVER,
    },
  },
  {
    name: 'WarungSlow',
    severity: 'warning',
    expression:
      'histogram_quantile(0.95, sum by (le) (rate(warung_http_request_duration_seconds_bucket{route="/v2/topup"}[5m]))) > 1',
    minutes: 10,
    summary: '5 of 100 requests to pay take longer than a second.',
    meaning: 'Requests wait: for a processor, for the database, or for a lock.',
    runbook: {
      subject: SERVICE,
      cost: 'Patience of clients; from 29 seconds on their requests fail with 504.',
      look: [
        {
          text: 'See what waits.',
          command: 'curl -s http://127.0.0.1:9464/metrics | grep -E "_waiting|eventloop_lag_p99"',
        },
        {
          text: 'The exemplars of the slow buckets name requests: look for them in the log.',
          command: 'journalctl -u warung | grep REQUEST-ID',
        },
        { text: 'See whether the disk of the database is busy.', command: 'iostat -x 5 2' },
      ],
      act: [
        { text: 'A full processor: set `WARUNG_PROCESSES`, or add a node.' },
        { text: 'A slow disk: nothing but a faster one helps, because every payment is written to it.' },
      ],
      clears: OVER,
    },
  },
  {
    name: 'WarungQueueGrows',
    severity: 'critical',
    expression: 'warung_payments_waiting + warung_nonces_waiting > 1000',
    minutes: 1,
    summary: 'More than 1000 commands wait for their commit.',
    meaning: 'The database takes fewer commands than arrive. At 20,000 the service answers 503.',
    runbook: {
      subject: NODE,
      cost: 'Time at first, then refused requests.',
      look: [READY, { text: 'See whether the disk of the database is busy.', command: 'iostat -x 5 2' }],
      act: [
        { text: 'Look for a statement that holds locks or the disk: a backup, a report, a migration.' },
        { text: 'With a synchronous standby, see whether it answers.' },
      ],
      clears: OVER,
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
      subject: NODE,
      cost: 'Time of every request to this process.',
      look: [{ text: 'See what else runs on the machine.', command: 'top -b -n 1 | head -20' }, LOG],
      act: [{ text: 'Move other programs away, set `WARUNG_PROCESSES`, or add a node.' }],
      clears: OVER,
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
    meaning: 'Its supplier has not decided, or cannot be asked. The service asks for ever and never guesses.',
    runbook: {
      subject: SERVICE,
      cost: 'Customers wait, and resellers have paid. No money is lost.',
      look: [
        { text: 'List them, longest overdue first.', command: 'npx warungd payment stuck' },
        { text: 'Follow one of them.', command: 'npx warungd payment trace --id ID' },
        { text: 'See whether one supplier has them all.', command: 'npx warungd provider health' },
      ],
      act: [
        { text: 'Ask the supplier, with our reference, what became of the order.' },
        {
          text: 'Enter what it says. A failure gives the money back and counts for every attempt, so be certain: ask about each reference that the timeline calls undecided.',
          command: 'npx warungd payment resolve --reseller ACCOUNT --id ID --as STATE --reason TEXT',
        },
      ],
      clears: 'When no payment is past its due time for so long.',
    },
  },
  {
    name: 'WarungPaymentsFail',
    severity: 'warning',
    expression:
      'sum by (supplier) (rate(warung_payments_total{outcome="failed"}[15m])) / sum by (supplier) (rate(warung_payments_total[15m])) > 0.3',
    minutes: 10,
    summary: 'More than 30 of 100 payments through a supplier fail.',
    meaning: 'The supplier refuses orders. Each reseller has its money back.',
    runbook: {
      subject: 'The supplier.',
      cost: 'Sales.',
      look: [
        {
          text: 'Read the reasons of its last failures.',
          command: 'npx warungd payment list --status failed',
        },
        { text: 'See its health.', command: 'npx warungd provider health' },
        { text: 'See its float.', command: 'npx warungd provider float' },
      ],
      act: [
        {
          text: 'Send payments to another supplier while it is mended.',
          command: 'npx warungd provider disable --code CODE --dry-run',
        },
      ],
      clears: OVER,
    },
  },
  {
    name: 'WarungProviderInterrupted',
    severity: 'critical',
    expression: 'max by (provider) (warung_provider_state) == 2',
    minutes: 5,
    summary: 'No orders are sent to a provider: its circuit breaker is open.',
    meaning: 'It failed 5 times in a row, or at half of 20 orders. Probes are sent, later and later.',
    runbook: {
      subject: 'The provider.',
      cost: 'Its products are refused, or go to another provider that costs more.',
      look: [
        { text: 'Read its last errors.', command: 'npx warungd provider health' },
        { text: 'Ask it now.', command: 'npx warungd provider test --code CODE' },
      ],
      act: [
        { text: 'Call the provider.' },
        {
          text: 'Tell resellers, if no other provider has the products.',
          command: 'npx warungd notice add --provider CODE --message TEXT',
        },
      ],
      clears: 'When three probes in a row are answered.',
    },
  },
  {
    name: 'WarungOutcomesKept',
    severity: 'critical',
    expression: 'warung_outcomes_kept > 0',
    minutes: 2,
    summary: 'Answers of suppliers wait in the memory of a node for the database.',
    meaning:
      'The database does not take them. They are tried again, and written to files when the node stops.',
    runbook: {
      subject: NODE,
      cost: 'Payments stay pending. The answers are lost if the data folder is lost.',
      look: [DOCTOR, { text: 'Read the alerts of the service itself.', command: 'npx warungd alert list' }],
      act: [
        { text: 'Bring the database back. Do not delete the data folder of the node.' },
        { text: 'Go on with `outcomes_waiting` or `outcome_refused`, whichever is open.' },
      ],
      clears: OVER,
    },
  },
  {
    name: 'WarungOrdersStuck',
    severity: 'warning',
    expression: 'max(warung_orders_stuck_oldest_seconds) > 900',
    minutes: 5,
    summary: 'An order of the hosted checkout has not moved for 15 minutes.',
    meaning: 'A customer has paid, and the order is not fulfilled.',
    runbook: {
      subject: SERVICE,
      cost: 'Customers of one or more shops wait.',
      look: [{ text: 'The alerts name the orders.', command: 'npx warungd alert list' }],
      act: [{ text: 'Go on with `order_stuck`.' }],
      clears: OVER,
    },
  },
  {
    name: 'WarungEventsLate',
    severity: 'critical',
    expression: 'max(warung_facts_oldest_seconds) > 60',
    minutes: 2,
    summary: 'Facts have waited for a minute to become events.',
    meaning: 'The sequencer does not run, or cannot commit. No feed, callback or webhook moves on.',
    runbook: {
      subject: SERVICE,
      cost: 'Resellers are not told how payments end. They can still ask.',
      look: [
        {
          text: 'Read why it cannot number them.',
          command: `journalctl -u warung --since -15min | grep 'numbered'`,
        },
        DOCTOR,
      ],
      act: [
        {
          text: 'Mend the database. Restart a node if its log is silent about events.',
          command: 'systemctl restart warung',
        },
      ],
      clears: OVER,
    },
  },
  {
    name: 'WarungDeliveriesLate',
    severity: 'warning',
    expression: 'max by (stream) (warung_deliveries_overdue_seconds) > 300',
    minutes: 10,
    summary: 'A delivery to a receiver has been due for 5 minutes.',
    meaning: 'Nodes do not reach their turn: too many receivers are slow, or no node delivers.',
    runbook: {
      subject: 'The stream.',
      cost: 'Resellers learn late how payments ended.',
      look: [
        { text: 'See which receivers have the longest queues.', command: 'npx warungd delivery queue' },
        {
          text: 'See the state of one.',
          command: 'npx warungd endpoint show --reseller ACCOUNT --stream STREAM',
        },
      ],
      act: [
        { text: 'Tell the reseller whose receiver does not answer.' },
        {
          text: 'Pause a receiver that holds up others; its deliveries can be replayed.',
          command: 'npx warungd endpoint pause --reseller ACCOUNT --stream STREAM',
        },
      ],
      clears: OVER,
    },
  },
  {
    name: 'WarungMailLate',
    severity: 'warning',
    expression: 'max(warung_mails_oldest_seconds) > 1800',
    minutes: 10,
    summary: 'A mail has waited for half an hour.',
    meaning: 'The mail server does not take mails, or takes them slowly.',
    runbook: {
      subject: SERVICE,
      cost: 'Operators and resellers are told late.',
      look: [{ text: 'Try it; the error is shown.', command: 'npx warungd mail test --to ADDRESS' }],
      act: [{ text: 'Go on with `mail_unreachable`.' }],
      clears: OVER,
    },
  },
  {
    name: 'WarungTracesDropped',
    severity: 'warning',
    expression: 'sum(rate(warung_trace_spans_total{result="dropped"}[10m])) > 0',
    minutes: 15,
    summary: 'Spans of traces are dropped.',
    meaning: 'The collector at `WARUNG_TRACES_URL` is slow, away, or refuses them.',
    runbook: {
      subject: SERVICE,
      cost: 'Traces have gaps. Payments are not affected.',
      look: [
        {
          text: 'Read why they could not be sent.',
          command: `journalctl -u warung --since -15min | grep 'traces'`,
        },
        { text: 'See the address as the service reads it.', command: 'npx warungd config' },
      ],
      act: [
        { text: 'Mend the collector, or keep fewer traces with `WARUNG_TRACES_ONE_IN`.' },
        { text: 'Without a collector, take `WARUNG_TRACES_URL` away.' },
      ],
      clears: OVER,
    },
  },
  {
    name: 'WarungAlertOpen',
    severity: 'critical',
    expression: 'max(warung_operator_alerts_open{severity="critical"}) > 0',
    minutes: 1,
    summary: 'The service itself has an open critical alert.',
    meaning: 'One of the kinds above that are critical. The service knows more about it than the metrics do.',
    runbook: {
      subject: SERVICE,
      cost: 'That of the kind.',
      look: [
        { text: 'Read the alert; its kind is the name of its runbook.', command: 'npx warungd alert list' },
      ],
      act: [{ text: 'Go on with the runbook of the kind.' }],
      clears: 'When no critical alert is open.',
    },
  },
]

/** Rules of deploy/prometheus/warung.rules.yml, in its order. */
export const METRIC_RULES: readonly MetricRule[] = [...NODES, ...WORK, ...CLUSTER]
