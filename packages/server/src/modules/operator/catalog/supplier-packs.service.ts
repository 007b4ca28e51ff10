import type { Database } from '../../../db/database.ts'
import { getConnection } from '../../providers/connections/connections.service.ts'
import { REFUSAL } from '../../providers/health/refusals.codec.ts'
import { listRefusals } from '../../providers/health/refusals.service.ts'
import { getPack, listPacks, readGuide } from '../../providers/packs/library.service.ts'
import { isAtTestAddress } from '../../providers/packs/pack.rules.ts'
import { getPackOf, planUpgrade } from '../../providers/packs/packs.service.ts'
import { packView, upgradeView } from '../../providers/packs/view.ts'
import { standingsOf } from '../../providers/proofs/claims.rules.ts'
import { PROOF, STANDING, UNKNOWN_ANSWER } from '../../providers/proofs/codec.ts'
import { listProofs, listUnknownAnswers } from '../../providers/proofs/reads.ts'
import type { Trials } from '../../providers/proofs/types.ts'
import { isPlain, unknown } from '../kit/pages.rules.ts'

const PROOFS_SHOWN = 50

export async function listPackLines() {
  return (await listPacks()).map(({ id, manifest }) => {
    const { name, version, summary, countries, sells, currency } = manifest
    return { pack: id, name, version, summary, countries, sells, currency }
  })
}

export async function getPackDetail(name: string) {
  if (!isPlain(name)) throw unknown('pack')
  const pack = await getPack(name)
  return packView(pack, await readGuide(pack.id))
}

/** Shows the pack of a provider, what is said of the supplier, and what was tried. */
export async function getProviderPack(
  { database, trials }: { readonly database: Database; readonly trials: Trials },
  code: string,
  { mayReadConfig }: { readonly mayReadConfig: boolean },
) {
  if (!isPlain(code)) throw unknown('provider')
  const { config } = await getConnection(database, code)
  const { pack, settings, version } = await getPackOf(database, code)
  const { manifest } = pack
  const proofs = await listProofs(database, code)
  const { upgrade } = await planUpgrade(database, code)
  const isUpgrade = upgrade.to !== upgrade.from || upgrade.differences.length > 0
  const { secrets, test_mode } = packView(pack, '')
  return {
    provider: code,
    pack: pack.id,
    name: manifest.name,
    version,
    newest: manifest.version,
    settings: mayReadConfig ? settings : null,
    secrets,
    test_mode,
    is_test_address: isAtTestAddress(pack, settings, config),
    claims: standingsOf(manifest, proofs).map((standing) => STANDING.encode(standing)),
    proofs: proofs.slice(0, PROOFS_SHOWN).map((proof) => PROOF.encode(proof)),
    trial_since: trials.startedAt(code)?.toISOString() ?? null,
    trial_results: [...trials.resultsOf(code)],
    upgrade: mayReadConfig && isUpgrade ? upgradeView(upgrade) : null,
  }
}

export async function listProviderWords(database: Database, code: string) {
  if (!isPlain(code)) throw unknown('provider')
  return (await listUnknownAnswers(database, code)).map((answer) => UNKNOWN_ANSWER.encode(answer))
}

export async function listProviderRefusals(database: Database, code: string) {
  if (!isPlain(code)) throw unknown('provider')
  return (await listRefusals(database, code)).map((refusal) => REFUSAL.encode(refusal))
}
