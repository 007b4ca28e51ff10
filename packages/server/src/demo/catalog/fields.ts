import type { Field } from '../../modules/catalog/model/types.ts'

// Fields with order 0: the product that uses them sets the order.

export const PHONE: Field = {
  id: 'phone',
  type: 'text',
  inputMode: 'tel',
  label: 'Mobile number',
  placeholder: '60123456789',
  required: true,
  order: 0,
  role: 'account',
  numberKind: 'mobile',
  numberCountry: 'MY',
  validation: {
    pattern: '^(\\+?60|0)?1[0-9]{8,9}$',
    message: 'Enter a mobile number such as 60123456789',
  },
}

export const EMAIL: Field = {
  id: 'email',
  type: 'text',
  inputMode: 'email',
  label: 'E-mail address',
  placeholder: 'name@example.com',
  required: true,
  order: 0,
  role: 'account',
  validation: { pattern: '^[^@ ]{1,64}@[^@ ]{1,190}$', message: 'Enter an e-mail address' },
}

export const IC_NUMBER: Field = {
  id: 'ic_number',
  type: 'text',
  inputMode: 'numeric',
  label: 'IC number',
  placeholder: '900101145678',
  required: true,
  order: 0,
  role: 'none',
  validation: { pattern: '^[0-9]{12}$', message: 'Enter the 12 digits of the IC number, without dashes' },
}

export const PAYEE_IDENTITY: Field = {
  ...IC_NUMBER,
  inputMode: 'text',
  label: 'IC or passport number of the payee',
  validation: {
    pattern: '^[A-Za-z0-9]{5,20}$',
    message: 'Enter the IC or passport number, without dashes or spaces',
  },
}

export function accountNumber(label: string, placeholder: string): Field {
  return {
    id: 'account_number',
    type: 'text',
    inputMode: 'numeric',
    label,
    placeholder,
    required: true,
    order: 0,
    role: 'account',
    validation: { pattern: '^[0-9]{6,20}$', message: 'Enter the 6 to 20 digits of the number' },
  }
}

/** Field for account numbers that contain letters. */
export function accountText(label: string, placeholder: string): Field {
  return {
    ...accountNumber(label, placeholder),
    inputMode: 'text',
    validation: { pattern: '^[A-Za-z0-9/-]{4,30}$', message: 'Enter 4 to 30 letters and digits' },
  }
}

export function playerId(label: string): Field {
  return {
    id: 'player_id',
    type: 'number',
    inputMode: 'numeric',
    label,
    placeholder: '123456789',
    required: true,
    order: 0,
    role: 'account',
    validation: {
      pattern: '^[0-9]{4,12}$',
      message: 'Enter the 4 to 12 digits of the ID',
      min: 1_000,
      max: 999_999_999_999,
    },
  }
}

export function money(min: number, max: number): Field {
  return {
    id: 'amount',
    type: 'money',
    inputMode: 'decimal',
    label: 'Amount',
    placeholder: `${min}.00`,
    required: true,
    order: 0,
    role: 'pricing',
    validation: { min, max, message: `Enter an amount from RM ${min} to RM ${max}` },
    currency: 'MYR',
  }
}

/** Field with a choice from our own list; the choice prices the product. */
export function pricingSelect(productCode: string, id: string, label: string): Field {
  return select(productCode, id, label, 'pricing')
}

export function select(productCode: string, id: string, label: string, role: Field['role']): Field {
  return {
    id,
    type: 'select',
    inputMode: 'text',
    label,
    placeholder: '',
    required: true,
    order: 0,
    role,
    validation: {},
    dataSource: {
      type: 'reference',
      dependsOn: [],
      params: { product_code: { static: productCode }, field_id: { static: id } },
    },
  }
}
