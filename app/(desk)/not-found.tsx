import type { Metadata } from 'next'
import { t } from '#components/i18n/server.ts'
import { DeskNotFound } from '#components/shell/desk-not-found.tsx'

export const metadata: Metadata = { title: t('failure.notFoundPage') }

export default function DeskNotFoundPage() {
  return <DeskNotFound />
}
