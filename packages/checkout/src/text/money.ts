/** Writes an amount as customers in Malaysia read it, RM 1,234.50, digit by digit: no figure is rounded. */
export function moneyText(amount: string, currency = 'MYR'): string {
  const [, minus = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? []
  const sign = currency === 'MYR' ? 'RM' : currency
  if (whole === '') return `${sign} ${amount}`
  const beyond = fraction.slice(2).replace(/0+$/, '')
  const sen = fraction.slice(0, 2).padEnd(2, '0')
  return `${sign} ${minus === '' ? '' : '−'}${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}.${sen}${beyond}`
}
