import type { FoundText } from '#server/modules/rules/judging/found-text.ts'
import type { ReviewedKind } from '#server/modules/rules/registry/schema.ts'

/** An item that a tested rule finds, what people decided on it and when, or since when it is pending. Without zod, as browsers load this. */
export interface BacktestSample extends FoundText {
  subjectType: ReviewedKind
  subjectId: string
  outcome: 'approved' | 'rejected' | 'pending'
  at: string
}

/** Adds a sample to those of the same outcome, at most `limit`, unless one of them has the same text: repeated texts say nothing new. */
export function addSample(samples: BacktestSample[], sample: BacktestSample, limit: number): void {
  const ofOutcome = samples.filter(({ outcome }) => outcome === sample.outcome)
  const isRepeated = ofOutcome.some(({ title, text }) => title === sample.title && text === sample.text)
  if (ofOutcome.length < limit && !isRepeated) samples.push(sample)
}
