<?php

declare(strict_types=1);

namespace Warung;

use Warung\Errors\InvalidPayment;

/** Payments from the catalogue's forms: `fields` say what to ask, `fulfillment` how answers become a payment. */
final class Forms
{
    private const REFID_MAX = 50;
    /** Amounts as the payment operation reads them: no sign, no exponent, at most 4 decimals. */
    private const AMOUNT = '/^\d{1,11}(?:\.\d{1,4})?$/D';
    private const TEST_ACCOUNT = '/^6012345[0-4]\d{3}$/D';
    /** Spaces of any kind, dashes, dots, and the marks that copied texts carry unseen. */
    private const SEPARATORS = '/[\s.\p{Pd}\x{2212}\x{AD}\x{200B}-\x{200F}\x{202A}-\x{202E}\x{2060}-\x{2069}\x{FEFF}]/u';

    /** @var list<array<string, mixed>> */
    private readonly array $fields;
    /** @var array<string, mixed> values with options in the place of their codes */
    private readonly array $chosen;

    /**
     * @param array<string, mixed> $product
     * @param array<string, mixed> $values
     * @param array<string, list<array<string, mixed>>> $options
     */
    private function __construct(
        private readonly array $product,
        private readonly array $values,
        array $options,
        private readonly bool $allowTestAccounts,
    ) {
        $fields = array_values($product['fields']);
        usort($fields, static fn (array $a, array $b): int => $a['order'] <=> $b['order']);
        $this->fields = $fields;
        $chosen = [];
        foreach ($fields as $field) {
            $chosen[$field['id']] = self::choose($field, $values[$field['id']] ?? null, $options);
        }
        $this->chosen = $chosen;
    }

    /**
     * Builds the payment for a product of the catalogue, or throws InvalidPayment with all problems.
     *
     * @param array<string, mixed> $product as getProduct returns it
     * @param array<string, mixed> $values by field id: text or a number, and for a select field the whole option, or
     *     its code if `$options` has the field's options
     * @param ?string $account for products without an account field, such as PINs
     * @param array<string, list<array<string, mixed>>> $options by field id
     * @param bool $allowTestAccounts lets staging's test accounts through, whatever the product's pattern says
     *
     * @return array<string, mixed>
     */
    public static function buildPayment(
        array $product,
        array $values,
        string $refid,
        ?string $remarks = null,
        ?string $account = null,
        array $options = [],
        bool $allowTestAccounts = false,
    ): array {
        $form = new self($product, $values, $options, $allowTestAccounts);
        $problems = [];
        if (preg_match('/^.{1,' . self::REFID_MAX . '}$/Dsu', $refid) !== 1) {
            $problems[] = ['field' => 'refid', 'message' => 'A refid has 1 to 50 characters'];
        }
        array_push($problems, ...$form->problems());
        $hasField = isset($product['fulfillment']['account']['from_field']);
        if (!$hasField && self::isEmpty($account)) {
            $problems[] = ['field' => 'account', 'message' => 'An account is required'];
        }
        if ($problems !== []) {
            throw new InvalidPayment($problems);
        }
        $paid = $hasField ? $form->read($product['fulfillment']['account']) : $account;
        return ['refid' => $refid, 'product' => $product['code'], 'account' => self::textOf($paid)]
            + $form->contents($remarks);
    }

    /** @return array<string, mixed> */
    private function contents(?string $remarks): array
    {
        $mapping = $this->product['fulfillment']['amount'];
        $amount = $this->read($mapping);
        // A number of the catalogue is sent as it came; an amount that was typed stays as it was typed.
        $contents = ['amount' => isset($mapping['path']) ? $amount : self::textOf($amount)];
        if ($remarks !== null) {
            $contents['remarks'] = $remarks;
        }
        $extras = [];
        foreach ($this->product['fulfillment']['extras'] ?? [] as $key => $each) {
            $value = $this->read($each);
            if (!self::isEmpty($value) || !($each['omit_if_empty'] ?? false)) {
                $extras[$key] = self::textOf($value);
            }
        }
        return $extras === [] ? $contents : $contents + ['extras' => $extras];
    }

    /** @return list<array{field: string, message: string}> */
    private function problems(): array
    {
        $problems = [];
        foreach ($this->fields as $field) {
            $message = $this->problemOf($field);
            if ($message !== null) {
                $problems[] = ['field' => $field['id'], 'message' => $message];
            }
        }
        foreach (array_diff(array_keys($this->values), array_column($this->fields, 'id')) as $name) {
            $problems[] = ['field' => (string) $name, 'message' => "There is no field $name"];
        }
        return $problems;
    }

    /** @param array<string, mixed> $field */
    private function problemOf(array $field): ?string
    {
        $value = $this->chosen[$field['id']];
        if (self::isEmpty($value)) {
            return $this->isRequired($field) ? "{$field['label']} is required" : null;
        }
        if ($field['type'] === 'select') {
            return $this->optionProblem($field, $value);
        }
        if (is_array($value) || !$this->hasForm($field, self::textOf($value))) {
            return $field['validation']['message'] ?? "{$field['label']} is not valid";
        }
        $isPriced = $field['role'] === 'pricing' && $field['type'] !== 'text';
        return $isPriced ? $this->limitProblem($field, self::textOf($value)) : null;
    }

    /** A biller's option may require a second reference. @param array<string, mixed> $field */
    private function isRequired(array $field): bool
    {
        $isNeeded = $field['id'] === 'ref2' && in_array(true, array_column($this->options(), 'ref2_required'), true);
        return $field['required'] || $isNeeded;
    }

    /** @param array<string, mixed> $field */
    private function optionProblem(array $field, mixed $value): ?string
    {
        if (!is_array($value)) {
            return "{$field['label']} has no option " . self::textOf($value);
        }
        $amount = $this->product['fulfillment']['amount'];
        $isSource = $amount['from_field'] === $field['id'] && isset($amount['path']);
        return $isSource && self::isEmpty($this->read($amount)) ? "{$field['label']} has no {$amount['path']}" : null;
    }

    /** @param array<string, mixed> $field */
    private function hasForm(array $field, string $text): bool
    {
        ['pattern' => $pattern, 'min' => $min, 'max' => $max] = $field['validation']
            + ['pattern' => null, 'min' => null, 'max' => null];
        $isTestAccount = $this->allowTestAccounts && $field['role'] === 'account'
            && preg_match(self::TEST_ACCOUNT, $text) === 1;
        if (isset($field['number_kind'])) {
            $text = self::withoutSeparators($text);
        }
        // D: `$` is the very end of the text, as in JavaScript.
        if ($pattern !== null && !$isTestAccount && preg_match('~' . str_replace('~', '\~', $pattern) . '~Du', $text) !== 1) {
            return false;
        }
        if ($field['type'] === 'text') {
            return true;
        }
        $units = self::unitsOf($text);
        return $units !== null && $units > 0
            && ($min === null || $units >= self::unitsOf(self::textOf($min)))
            && ($max === null || $units <= self::unitsOf(self::textOf($max)));
    }

    /** A telephone number without what people write between its digits, for its pattern. It is sent as it is. */
    private static function withoutSeparators(string $text): string
    {
        $bare = preg_replace('/(\d\)?)\(0\)/', '$1', preg_replace(self::SEPARATORS, '', $text) ?? $text, 1) ?? $text;
        return preg_replace('/^00/', '+', str_replace(['(', ')', '[', ']'], '', $bare)) ?? $text;
    }

    /**
     * Limits of the account and of the chosen biller, which the field's own message does not know.
     *
     * @param array<string, mixed> $field
     */
    private function limitProblem(array $field, string $text): ?string
    {
        $units = self::unitsOf($text);
        foreach ([$this->product, ...$this->options()] as $owner) {
            $low = $owner['min_amount']['amount'] ?? null;
            if ($low !== null && $units < self::unitsOf($low)) {
                return "{$field['label']} must be at least $low";
            }
            $high = $owner['max_amount']['amount'] ?? null;
            if ($high !== null && $units > self::unitsOf($high)) {
                return "{$field['label']} must be at most $high";
            }
        }
        return null;
    }

    /** Reads a plain decimal as an integer of 1/10,000, so that no float is compared; null: it is none. */
    private static function unitsOf(string $text): ?int
    {
        if (preg_match(self::AMOUNT, $text) !== 1) {
            return null;
        }
        [$whole, $decimals] = explode('.', $text) + [1 => ''];
        return (int) $whole * 10_000 + (int) str_pad($decimals, 4, '0');
    }

    /**
     * @param array<string, mixed> $field
     * @param array<string, list<array<string, mixed>>> $options
     */
    private static function choose(array $field, mixed $value, array $options): mixed
    {
        if ($field['type'] !== 'select' || self::isEmpty($value) || is_array($value)) {
            return $value;
        }
        foreach ($options[$field['id']] ?? [] as $option) {
            if ($option['code'] === self::textOf($value)) {
                return $option;
            }
        }
        return $value;
    }

    /** @return list<array<string, mixed>> */
    private function options(): array
    {
        return array_values(array_filter($this->chosen, 'is_array'));
    }

    /** @param array<string, mixed> $mapping */
    private function read(array $mapping): mixed
    {
        $value = $this->chosen[$mapping['from_field']] ?? null;
        foreach (isset($mapping['path']) ? explode('.', $mapping['path']) : [] as $key) {
            $value = is_array($value) ? ($value[$key] ?? null) : null;
        }
        return $value;
    }

    private static function isEmpty(mixed $value): bool
    {
        return $value === null || $value === '';
    }

    private static function textOf(mixed $value): string
    {
        return (string) $value;
    }
}
