import { Type } from 'typebox'

export const BalanceResponse = Type.Object({
  data: Type.Object(
    {
      account: Type.String({ description: "The reseller's account number" }),
      name: Type.String({ description: 'Name of the reseller' }),
      balance: Type.Number({ description: 'Wallet balance in MYR; pending payments are already taken off' }),
      level: Type.String({ description: "The reseller's price list" }),
      access: Type.Union([Type.Literal(0), Type.Literal(50)], { description: '0: may pay. 50: read only.' }),
    },
    { title: 'Balance' },
  ),
})
