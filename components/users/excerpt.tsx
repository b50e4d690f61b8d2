'use client'
import { useSuspenseQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { toAuditPath } from '#components/kit/addresses/audit-search.ts'
import { toQueuePath } from '#components/kit/addresses/queue-search.ts'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'

interface ExcerptProps {
  subjectId: string
  /** Set while it is held: it can be opened in the queue. */
  heldAs?: { subjectType: 'comment' | 'post'; authorId: string } | undefined
  isFlagged: boolean
  children: string
}

/** The beginning of a text: a link to it in the queue, or to what the log says about it, as far as the viewer may open these. */
export function Excerpt({ subjectId, heldAs, isFlagged, children }: ExcerptProps) {
  const { data: me } = useSuspenseQuery(useTRPC().access.me.queryOptions())
  const auditPath = me.opens.includes('audit') ? toAuditPath({ subjectId }) : undefined
  const href = heldAs && me.reviews ? toQueuePath({ authorId: heldAs.authorId, kind: heldAs.subjectType }) : auditPath
  const text = <CoveredLine isFlagged={isFlagged}>{children}</CoveredLine>
  return (
    <p dir="auto" className="max-w-[80ch] font-member wrap-anywhere text-ink-2">
      {href === undefined ? (
        text
      ) : (
        <Link href={href} prefetch={false} className="text-ink-2 decoration-line-control">
          {text}
        </Link>
      )}
    </p>
  )
}
