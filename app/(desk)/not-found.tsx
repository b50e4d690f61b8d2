import { titled } from '#components/preferences/server-messages.ts'
import { DeskNotFound } from '#components/shell/desk-not-found.tsx'

export const generateMetadata = titled((t) => t('failure.notFoundPage'))

export default function DeskNotFoundPage() {
  return <DeskNotFound />
}
