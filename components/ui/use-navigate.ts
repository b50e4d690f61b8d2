'use client'
import { useRouter } from 'next/navigation'
import { useCallback } from 'react'
import { afterPaint } from './after-paint.ts'
import { followLink, writeChanges } from './search-params/pending-changes.ts'

/** Navigates to another page. Pending updates to this page's URL are written first: written later, they would cancel the navigation. */
export function useNavigate(): (href: string) => void {
  const router = useRouter()
  return useCallback(
    (href) => {
      void afterPaint().then(() => {
        writeChanges()
        followLink()
        router.push(href)
      })
    },
    [router],
  )
}
