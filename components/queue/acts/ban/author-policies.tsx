'use client'
import { PolicyList } from '#components/kit/sanctions/policy-list.tsx'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import { useLifted } from './use-lifted.ts'

/** What becomes of what the author of an item writes. */
export function AuthorPolicies({ author: { userId, policies } }: { author: ReviewItem['author'] }) {
  return <PolicyList userId={userId} policies={policies} onEnded={useLifted()} />
}
