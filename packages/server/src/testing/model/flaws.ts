/** Deliberate mistakes of a broken model. A model that cannot find them would prove nothing. */
export const FLAWS = {
  refund_on_timeout: 'a supplier that does not answer in time counts as a failure, and the money goes back',
  lease_ignored: 'a conclusion or a new attempt is written without comparing the number of the lease',
  send_before_commit: 'a further attempt is sent before the commit that records it',
  no_second_look: 'the refid is not looked up again under the lock of the wallet',
  late_send: 'a node that wakes up after its lease sends the order all the same',
  other_attempt_fails: 'the failure of an attempt that is not the present one fails the payment',
  retry_sends_again: 'a repeated request sends the order of the existing payment once more',
  unknown_moves_on: 'an order with an unknown outcome goes to the next provider',
  not_found_proves_at_once: '"not found" counts as proof while the order may still be on its way',
  final_moves: 'a final payment takes another final state',
  answer_before_commit: 'the client is answered before the payment is committed',
  rejection_forgotten: 'a rejection is not remembered, and an older request creates the payment after it',
  crossed_attempt_forgotten: 'the present attempt is forgotten when another attempt succeeds',
  contradiction_dropped: 'an answer that contradicts the end of a payment is thrown away',
  clock_believed: "the database's clock is believed after a step, and running leases are taken over",
  suspension_unseen: 'a node does not count the time for which its machine was suspended',
  open_attempt_ignored:
    'a payment fails, or goes to the next provider, while an earlier attempt is undecided',
  pending_forgotten: 'an undecided payment is never asked about again',
} as const

export type Flaw = keyof typeof FLAWS
