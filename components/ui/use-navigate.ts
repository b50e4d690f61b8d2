'use client'
import { useRouter } from 'next/navigation'
import { useQueryStates } from 'nuqs'
import { useCallback } from 'react'
import { afterPaint } from './after-paint.ts'

/**
 * Goes to another page. What this page's address is still to say, as it follows what is typed and what is shown by a moment, is written
 * first: written later, it would call off the way to the other page.
 */
export function useNavigate(): (href: string) => void {
  const router = useRouter()
  const [, write] = useQueryStates({})
  return useCallback(
    (href) => {
      const go = () => router.push(href)
      // Nothing more to say: fulfilled once what was said before is in the address.
      void afterPaint()
        .then(() => write({}))
        .then(go, go)
    },
    [router, write],
  )
}
