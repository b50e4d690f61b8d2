import type { Metadata } from 'next'
import { t } from '#components/i18n/server.ts'
import { NotFound } from '#components/shell/not-found.tsx'

export const metadata: Metadata = { title: t('failure.notFoundPage') }

export default function NotFoundPage() {
  return <NotFound />
}
