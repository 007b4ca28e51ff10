import { expect } from 'vitest'
import type { Change, CommandBench } from './bench.ts'
import { newPacked } from './bench.ts'

// Suppliers' lists, for the commands about them.

const OFFER = {
  code: 'MX10',
  name: 'Maxi 10',
  brand: 'Maxi',
  country: 'MY',
  type: 'TOPUP',
  description: null,
  image: null,
  open: true,
  face: { currency: 'MYR', min: '10.00', max: '10.00' },
  cost: { amount: '9.70', currency: 'MYR' },
  hours: null,
  validity: null,
  requires: [],
  values: {},
}

/** Connects a supplier whose list proposes an offer. */
export async function newOffer(c: CommandBench): Promise<string[]> {
  const provider = await newPacked(c)
  const offer = JSON.stringify(OFFER)
  await c.database.query(
    `with seen as (
       insert into supplier_offers (provider, code, seen, digest, sync_id, seen_at)
       values ($1, 'MX10', $2, 'd', 1, now())
     )
     insert into offer_proposals (provider, code, kind, after, state) values ($1, 'MX10', 'new', $2, 'open')`,
    [provider, offer],
  )
  return ['--provider', provider]
}

/** The same, with the proposal's id. */
export async function newProposal(c: CommandBench): Promise<string[]> {
  const place = await newOffer(c)
  const { proposals } = await c.warungd('catalog', 'proposals', ...place)
  const [{ id }] = proposals as [{ id: string }]
  return [...place, '--id', id]
}

export const OFFER_CHANGES: Readonly<Record<string, Change>> = {
  'catalog sync': [
    'catalogue.sync',
    async (c) => ['--provider', await newPacked(c)],
    null,
    { sync: expect.any(String) },
  ],
  'catalog schedule': [
    'catalogue.schedule',
    async (c) => ['--provider', await newPacked(c), '--every', '6'],
    { every_hours: null },
    { every_hours: 6 },
  ],
  'catalog accept': [
    'offers.accept',
    async (c) => [...(await newOffer(c)), '--kind', 'new'],
    { routes: [] },
    { accepted: ['new MX10'], routes: [{ product: 'MAXI', cost: '97.00%' }] },
  ],
  'catalog reject': ['offers.reject', newProposal, null, { rejected: ['new MX10'] }],
}
