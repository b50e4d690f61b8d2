'use client'
import { lazyPart } from '#components/ui/lazy-part.tsx'

const PageError = lazyPart(() => import('#components/shell/page-error.tsx').then(({ PageError }) => PageError), {
  isPlain: true,
})

export default function ErrorPage({ retry }: { error: unknown; retry: () => void }) {
  return <PageError onTryAgain={retry} />
}
