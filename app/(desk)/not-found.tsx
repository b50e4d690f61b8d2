import { titled } from '#components/i18n/server.ts'
import { DeskNotFound } from '#components/shell/desk-not-found.tsx'

export const generateMetadata = titled((t) => t('failure.notFoundPage'))

export default function DeskNotFoundPage() {
  return <DeskNotFound />
}
