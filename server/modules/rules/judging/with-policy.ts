import type { Judgement } from '#server/modules/rules/judging/judge-content.ts'
import type { AuthorPolicy } from '#server/modules/spaces/author-policies/policy-of.ts'

/**
 * What is said of content once its author's policy counts. With trust, rules that would hold it only record that they found it, and mute nobody. Rules
 * that reject, report or highlight it act as ever.
 */
export function withPolicy(judgement: Judgement, policy: AuthorPolicy | null): Judgement {
  switch (policy?.kind) {
    case undefined:
      return judgement
    case 'hold':
      return { ...judgement, heldByPolicy: policy.policyId }
    case 'trust': {
      const { holding, shadow, muting } = judgement
      const held = new Set(holding.map(({ ruleId }) => ruleId))
      return {
        ...judgement,
        holding: [],
        shadow: [...shadow, ...holding],
        muting: muting.filter(({ ruleId }) => !held.has(ruleId)),
      }
    }
  }
}
