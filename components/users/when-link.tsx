'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { toAuditPath } from '#components/kit/addresses/audit-search.ts'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'

interface WhenLinkProps {
  at: string
  subjectId: string
  /** Set while it is held: it can be opened in the queue. */
  heldAs?: { subjectType: 'comment' | 'post'; authorId: string } | undefined
}

/** When something happened: a link to it in the queue, or to what the log says about it, as far as the viewer may open these. */
export function WhenLink({ at, subjectId, heldAs }: WhenLinkProps) {
  const times = useTimes()
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const auditPath = me.opens.includes('audit') ? toAuditPath({ subjectId }) : undefined
  const href = heldAs && me.reviews ? toQueuePath({ authorId: heldAs.authorId, kind: heldAs.subjectType }) : auditPath
  const time = <time title={times.exact(at)}>{times.brief(at)}</time>
  if (href === undefined) return time
  return (
    <Link href={href} prefetch={false} className="text-ink-2 decoration-line-control">
      {time}
    </Link>
  )
}
