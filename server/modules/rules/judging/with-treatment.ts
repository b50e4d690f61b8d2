import type { Judgement } from '#server/modules/rules/judging/judge-content.ts'
import type { AuthorTreatment } from '#server/modules/spaces/author-treatments/treatment-of.ts'

/**
 * What is said of content once its author's treatment counts. With trust, rules that would hold it only record that they found it, and mute nobody. Rules
 * that reject, report or highlight it act as ever.
 */
export function withTreatment(judgement: Judgement, treatment: AuthorTreatment | null): Judgement {
  switch (treatment?.kind) {
    case undefined:
      return judgement
    case 'hold':
      return { ...judgement, heldByTreatment: treatment.treatmentId }
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
