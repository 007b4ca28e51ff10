<?php

declare(strict_types=1);

namespace Warung;

/**
 * Advice by token: the error of a 401 or 403, or the remarks of a payment.
 * Generated from the tables of the service by npm run clients-api. Do not edit.
 */
final class Remedies
{
    /** @var array<string, string> */
    public const BY_TOKEN = [
        'ip_blocked' => 'Wait as long as `Retry-After` says, and spread requests out; `RateLimit-Remaining` warns before.',
        'unauthorized' => 'Send the four signing headers. A proxy may have removed them.',
        'invalid_token' => 'Refresh it, or log in again; better, sign your requests.',
        'missing_api_key' => 'Look whether your program has its key configured.',
        'invalid_api_key' => 'Compare it with the dashboard. Keys of staging and production are different ones.',
        'hmac_not_configured' => 'Rotate the key, or make a new one.',
        'missing_hmac_headers' => 'Send all of them with every request.',
        'empty_hmac_values' => 'Send a value in each.',
        'invalid_nonce_format' => 'Use a UUID, or random bytes in hex. Plain Base64 has `+`, `/` and `=`, which are not allowed.',
        'invalid_timestamp_format' => 'Send whole seconds: no fraction, no date.',
        'timestamp_expired' => 'Set your clock (NTP), and send seconds, not milliseconds.',
        'invalid_signature_format' => 'Encode the raw HMAC in standard Base64 with padding, not in hex.',
        'invalid_signature' => 'Decode the secret from Base64 before use; hash exactly the bytes sent; write the method in capitals; sort the query.',
        'ip_not_allowed' => 'Add the address in the dashboard; the message names it.',
        'nonce_reused' => 'Make a new one for every request, retries included. If you did, something on the way sent the request twice, and the first copy may have been carried out: ask before you decide. A payment: send the same body with the same refid.',
        'insufficient_scope' => 'Use a key with the scope that the message names.',
        'api_key_required' => 'Sign the request.',
        'invalid_credentials' => 'Have a person check both. Failures are counted: a program must not repeat the login by itself.',
        'invalid_refresh_token' => 'Log in again; better, sign your requests.',
        'second_factor_enabled' => 'Sign your requests with an API key.',
        'Account_Suspended' => 'Ask the operator. Do not send it again before.',
        'Insufficient_Balance' => 'Deposit, then send the same body again.',
        'Invalid_Format' => 'Correct the fields that `errors` names.',
        'Invalid_Product' => 'Take the code from `GET /v2/catalog`. Codes are case-sensitive.',
        'Product_Unavailable' => 'Look at `is_active` in the catalogue and at the network status; offer something else.',
        'Several plans available for this amount and a plan code is needed' => 'Send the chosen option\'s `code` as `extras.subproduct_code`.',
        'Unknown or inactive option code' => 'Fetch the options again; codes are case-sensitive.',
        'Option code does not match amount' => 'Send the option\'s `denomination`, not its price.',
        'Biller_Code_Required' => 'Take it from the biller list or the options.',
        'Invalid_Biller_Code' => 'Refresh your list of billers.',
        'IC_Number_Required' => 'Ask for the payee\'s identity or passport number.',
        'Invalid_IC_Number' => 'Leave out dashes and spaces.',
        'Ref2_Required' => 'Ask for it, and send it as `extras.ref2`.',
        'Quote_Unknown' => 'Ask for a quote again, and send its `quote_id` as it is.',
        'Quote_Mismatch' => 'Ask for a quote for this payment. `errors.quote_id` says what differs.',
        'Quote_Used' => 'Look at the transaction that `errors.quote_id` names; for another payment ask for a new quote.',
        'Quote_Expired' => 'Ask for a quote again.',
        'Cost_Above_Maximum' => 'Decide again: `errors.max_cost` names the cost.',
        'Out_Of_Stock' => 'Try later, or offer another denomination.',
        'Temporary_Error_Please_Try_Again' => 'Send the same body again after a few seconds.',
        'Invalid_Account' => 'Have it checked by the customer. `errors.account` says what is expected.',
        'Possible_Duplicate' => 'Look at the payment that `errors.account` names. Where both are meant, send `allow_duplicate: true`.',
        'Duplicate_Or_Daily_Limit' => 'Do not repeat it today.',
        'Account_Blacklisted' => 'Do not send it again.',
        'Invalid_Denomination' => 'Take the amount from the options, or keep within `min` and `max`.',
        'Identity_Check_Failed' => 'Final: do not send it again.',
        'Service_Unavailable' => 'Send it as a new payment, with a new refid.',
        'Rejected by the provider' => 'Have account and amount checked before a new payment.',
        'Refund' => 'Give your customer the money back.',
        'order_not_found' => 'Compare the id with the answer that created the order.',
        'invalid_items' => 'Correct the fields that `errors` names, such as `items.0.account`.',
        'reference_conflict' => 'Send exactly the first content to get that order again, or use a new reference.',
        'too_many_orders' => 'Cancel orders that nobody will pay, or wait until they time out.',
        'too_many_changes' => 'Make a new order.',
        'order_not_submitted' => 'Wait until its status is awaiting_payment.',
        'order_timeout' => 'Give the customer the money back, or make a new order.',
        'order_cancelled' => 'Give the customer the money back, or make a new order.',
        'already_confirmed' => 'Read the order: `payment_reference` names the payment that it was confirmed with.',
        'amount_mismatch' => 'Compare what the customer paid with the order. Nothing was confirmed.',
        'item_unavailable' => '`errors` names the items. Confirm again later, or cancel the order and give the money back.',
        'cost_above_price' => 'Cancel the order, or let the account accept the loss in its checkout settings.',
        'insufficient_balance' => 'Deposit, then confirm again before the order expires.',
        'order_changed' => 'Read the order again.',
        'order_not_open' => 'Read the order.',
    ];
}
