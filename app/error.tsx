'use client'
import { PageError } from '#components/shell/page-error.tsx'

export default function ErrorPage({ retry }: { error: unknown; retry: () => void }) {
  return <PageError onTryAgain={retry} />
}
