'use client'
import Link from 'next/link'
import type { Named } from '#server/modules/people/schema.ts'
import { toUserPath } from './to-user-path.ts'

/** A person's name, linked to their page if they have one. */
export function PersonLink({ person: { userId, displayName } }: { person: Named }) {
  if (userId === undefined) return <bdi>{displayName}</bdi>
  return (
    <Link href={toUserPath(userId)} prefetch={false} className="text-ink-2 decoration-line-control">
      <bdi>{displayName}</bdi>
    </Link>
  )
}
