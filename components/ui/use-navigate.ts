'use client'
import { useRouter } from 'next/navigation'
import { useQueryStates } from 'nuqs'
import { useCallback } from 'react'
import { afterPaint } from './after-paint.ts'

/** Navigates to another page. Pending updates to this page's URL are written first: written later, they would cancel the navigation. */
export function useNavigate(): (href: string) => void {
  const router = useRouter()
  const [, write] = useQueryStates({})
  return useCallback(
    (href) => {
      const go = () => router.push(href)
      // A no-op update: it resolves once earlier updates are in the URL.
      void afterPaint()
        .then(() => write({}))
        .then(go, go)
    },
    [router, write],
  )
}
