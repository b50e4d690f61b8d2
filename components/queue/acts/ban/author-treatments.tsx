'use client'
import { TreatmentList } from '#components/kit/sanctions/treatment-list.tsx'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import { useLifted } from './use-lifted.ts'

/** What becomes of what the author of an item writes. */
export function AuthorTreatments({ author: { userId, treatments } }: { author: ReviewItem['author'] }) {
  return <TreatmentList userId={userId} treatments={treatments} onEnded={useLifted()} />
}
