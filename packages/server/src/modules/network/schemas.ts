import { Type } from 'typebox'
import { parameter } from '../../http/parameters.ts'
import { NETWORK_RULES } from './rules.ts'

export const NetworkParameters = Type.Object({
  product: parameter(NETWORK_RULES.product, 'Product code'),
})

export const NetworkResponse = Type.Object(
  {
    data: Type.Object({
      product_code: Type.String(),
      product_name: Type.String(),
      product_img: Type.String(),
      network_status: Type.Union([Type.Literal('Healthy'), Type.Literal('Interruption')]),
    }),
    metadata: Type.Object({
      status_code: Type.Literal(200),
      last_updated: Type.String({
        description: 'When this status began, dd-MM-yyyy HH:mm:ss, GMT+8',
      }),
    }),
  },
  {
    title: 'Network status',
    examples: [
      {
        data: {
          product_code: 'NOVA',
          product_name: 'Nova Prepaid',
          product_img: 'https://cdn.example/nova.png',
          network_status: 'Healthy',
        },
        metadata: { status_code: 200, last_updated: '01-03-2026 09:30:00' },
      },
    ],
  },
)
