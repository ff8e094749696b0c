import type { Tx } from '../../platform/database/handles.ts'
import { judge } from './judge.ts'
import { patternKey, patternsOf, putPattern, type Suspect } from './patterns-store.ts'
import type { Rule } from './rules.ts'

/** Judges each suspect by the rules, and writes down what they find. */
export async function noteFindings<Facts>(
  tx: Tx,
  rules: readonly Rule<Facts>[],
  suspects: readonly { suspect: Suspect; facts: Facts }[],
  now: Date,
): Promise<void> {
  const known = await patternsOf(
    tx,
    suspects.map(({ suspect }) => suspect.id),
  )
  for (const { suspect, facts } of suspects)
    for (const rule of rules) {
      const verdict = judge(rule, facts, {
        known: known.get(patternKey(suspect.id, rule.type)),
        pardonedAt: suspect.pardonedAt,
        now,
      })
      if (verdict !== null) await putPattern(tx, { userId: suspect.id, type: rule.type, verdict, now })
    }
}
