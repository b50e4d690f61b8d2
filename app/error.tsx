'use client'
import { PageFailure } from '#components/shell/page-failure.tsx'

export default function ErrorPage({ retry }: { error: unknown; retry: () => void }) {
  return <PageFailure onTryAgain={retry} />
}
