import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs } from '../../../http/parameters.ts'
import type { ChangeWorld } from '../../providers/acts.ts'
import { addPackedProvider } from '../../providers/acts.ts'
import { REFUSAL } from '../../providers/health/refusals.codec.ts'
import { PACK_NAME } from '../../providers/packs/codec.ts'
import { upgradeView } from '../../providers/packs/view.ts'
import { setProducts, upgradeProvider } from '../../providers/packs.acts.ts'
import { beginTrial, dismissAnswer, mapAnswer } from '../../providers/proofs/acts.ts'
import { UNKNOWN_ANSWER } from '../../providers/proofs/codec.ts'
import type { OpenTrials } from '../../providers/proofs/trials.service.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { ApprovalResponse } from '../kit/approvals.codec.ts'
import { mayDo, rolesFor } from '../kit/roles.rules.ts'
import { dataOf, listOf } from '../kit/schemas.ts'
import { PROVIDER_DETAIL, ProviderParameters } from './providers.codec.ts'
import { getProvider } from './providers.service.ts'
import { PackDetail, PackLine, ProviderPack, TrialSchema, UpgradeSchema } from './supplier-packs.schemas.ts'
import {
  getPackDetail,
  getProviderPack,
  listPackLines,
  listProviderRefusals,
  listProviderWords,
} from './supplier-packs.service.ts'

const TAG = 'Providers'
const PACKS = '/operator/v1/supplier-packs'
const PROVIDER = '/operator/v1/providers/:code'
const WORDS = `${PROVIDER}/unknown-answers`

const ALONE =
  'One operator alone may do it while the provider is disabled and has no unfinished order; enabling it then needs a ' +
  'second person. Otherwise 202: a second person has to approve it.'

/** Operations on packs of suppliers, and on connections that are made of them. */
export function supplierPackOperations(stage: OperatorStage<ChangeWorld>, trials: OpenTrials): Operation[] {
  const { authenticate, log } = stage
  const { database } = log
  return [
    operation({
      method: 'GET',
      path: PACKS,
      docs: { operationId: 'listSupplierPacks', summary: 'Suppliers that are known', tag: TAG },
      schemas: { responses: { 200: listOf(PackLine) } },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle() {
        return { status: 200, body: { data: await listPackLines(), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PACKS}/:name`,
      docs: {
        operationId: 'getSupplierPack',
        summary: 'A supplier that is known',
        tag: TAG,
      },
      schemas: {
        params: Type.Object({
          name: documentedAs(PACK_NAME, Type.String({ description: 'As the list has it in `pack`' })),
        }),
        responses: { 200: dataOf(PackDetail) },
      },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle({ params }) {
        return { status: 200, body: { data: await getPackDetail(params.name) } }
      },
    }),
    operatorAct(stage, {
      act: addPackedProvider,
      method: 'POST',
      path: '/operator/v1/providers',
      permission: 'providers.write',
      docs: {
        operationId: 'addProvider',
        summary: 'Connect a supplier by its pack',
        description:
          'It is disabled: it takes orders after another operator has approved that it is enabled. Secrets are sealed, ' +
          'and shown by name alone.',
        tag: TAG,
      },
      body: 'New provider request',
      status: 201,
      answer: PROVIDER_DETAIL.schema,
      also: [404, 409],
      view: async ({ code }, { role }) =>
        PROVIDER_DETAIL.encode(await getProvider({ database }, code), {
          mayReadConfig: mayDo(role, 'providers.config'),
        }),
    }),
    operation({
      method: 'GET',
      path: `${PROVIDER}/pack`,
      docs: {
        operationId: 'getProviderPack',
        summary: 'Pack of a provider, with claims and proofs',
        description: '409: it was connected without a pack.',
        tag: TAG,
      },
      schemas: { params: ProviderParameters, responses: { 200: dataOf(ProviderPack) } },
      authenticate: authenticate(...rolesFor('providers.read')),
      also: [409],
      async handle({ caller, params }) {
        const mayReadConfig = mayDo(caller.role, 'providers.config')
        const data = await getProviderPack({ database, trials }, params.code, { mayReadConfig })
        return { status: 200, body: { data } }
      },
    }),
    operatorAct(stage, {
      act: upgradeProvider,
      method: 'POST',
      path: `${PROVIDER}/upgrade`,
      permission: 'providers.write',
      docs: {
        operationId: 'upgradeProvider',
        summary: 'Take over the newest version of its pack',
        description: `Settings and secrets that are given replace those that are there. What people changed since stays as they made it. ${ALONE} Secrets are refused there (409).`,
        tag: TAG,
      },
      body: 'Upgrade request',
      mayRehearse: true,
      answer: UpgradeSchema,
      asked: ApprovalResponse,
      also: [409],
      view: ({ upgrade }) => upgradeView(upgrade),
    }),
    operatorAct(stage, {
      act: setProducts,
      method: 'POST',
      path: `${PROVIDER}/products`,
      permission: 'providers.write',
      docs: {
        operationId: 'setProviderProducts',
        summary: "Set the supplier's codes of our products",
        description: `Products that are not named stay. ${ALONE}`,
        tag: TAG,
      },
      body: 'Provider products request',
      answer: PROVIDER_DETAIL.schema,
      asked: ApprovalResponse,
      also: [409],
      view: async ({ code }, { role }) =>
        PROVIDER_DETAIL.encode(await getProvider({ database }, code), {
          mayReadConfig: mayDo(role, 'providers.config'),
        }),
    }),
    operatorAct(
      { ...stage, world: trials },
      {
        act: beginTrial,
        method: 'POST',
        path: `${PROVIDER}/proofs`,
        permission: 'providers.write',
        docs: {
          operationId: 'beginProviderProof',
          summary: 'Try what a pack says of its supplier',
          description:
            "It sends the test orders of the supplier's test mode. The proofs of the provider show the results. 409 where the provider does not lead to the test address of its " +
            'pack, unless `live_address` says that its credentials are for tests; or while a trial is under way.',
          tag: TAG,
        },
        body: 'Trial request',
        status: 202,
        answer: TrialSchema,
        also: [409],
        view: ({ code, startedAt }) => ({ provider: code, started_at: startedAt.toISOString() }),
        onDone: (trial) => void trials.run(trial),
      },
    ),
    operation({
      method: 'GET',
      path: WORDS,
      docs: {
        operationId: 'listUnknownAnswers',
        summary: "A supplier's words that no table knows",
        description: 'The latest first, at most 200. Everything in the samples that may be secret is masked.',
        tag: TAG,
      },
      schemas: { params: ProviderParameters, responses: { 200: listOf(UNKNOWN_ANSWER.schema) } },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle({ params }) {
        const data = await listProviderWords(database, params.code)
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PROVIDER}/failures`,
      docs: {
        operationId: 'listProviderFailures',
        summary: 'Refusals of a provider in the last seven days',
        description:
          "Answers by which it refused orders, by its own word and our code, the most frequent first. Days are GMT+8's. " +
          'Answers of the last seconds may be missing. Words beyond 200 in a day are counted together.',
        tag: TAG,
      },
      schemas: { params: ProviderParameters, responses: { 200: listOf(REFUSAL.schema) } },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle({ params }) {
        const data = await listProviderRefusals(database, params.code)
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operatorAct(stage, {
      act: mapAnswer,
      method: 'POST',
      path: `${WORDS}/:id/map`,
      permission: 'providers.write',
      docs: {
        operationId: 'mapUnknownAnswer',
        summary: "Say what a supplier's word means",
        description:
          'The table of the configuration has it from now on. 202: every meaning but `pending` decides payments, and a ' +
          'second person has to approve it. 409 where not exactly one table reads the place of the word.',
        tag: TAG,
      },
      body: 'Meaning request',
      answer: UNKNOWN_ANSWER.schema,
      asked: ApprovalResponse,
      also: [409],
      view: (answer) => UNKNOWN_ANSWER.encode(answer),
    }),
    operatorAct(stage, {
      act: dismissAnswer,
      method: 'POST',
      path: `${WORDS}/:id/dismiss`,
      permission: 'providers.write',
      docs: {
        operationId: 'dismissUnknownAnswer',
        summary: 'Take a word off the list',
        tag: TAG,
      },
      body: 'Reason request',
      answer: UNKNOWN_ANSWER.schema,
      view: (answer) => UNKNOWN_ANSWER.encode(answer),
    }),
  ]
}
